import type { AgentFrame } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { FENCE, type SiteConnection, SupersededError } from "../queue/fence.ts";
import { statement } from "../queue/statement.ts";

export type InventoryFrame = Extract<AgentFrame, { type: "inventory" }>;

const DEVICES = `d AS MATERIALIZED (
  SELECT value->>'device' AS key, value->>'address' AS address, value->>'model' AS model,
    value->>'androidVersion' AS android_version, value->>'state' AS state,
    value->>'batteryPercent' AS battery_percent, min(value->>'proofAt', :now) AS proof_at,
    value->>'addresses' AS addresses, value->>'stateDetail' AS state_detail
  FROM json_each(:devices))`;
// A phone whose clock ran ahead at the install would be new for as long as it did: not known.
const ACCOUNTS = `a AS MATERIALIZED (
  SELECT value->>'account' AS key, value->>'state' AS state, value->>'appVersion' AS app_version,
    iif(value->>'firstInstalledAt' <= :now, value->>'firstInstalledAt', NULL) AS first_installed_at,
    value->>'userKind' AS user_kind,
    value->>'captions' AS captions, value->>'ownNumber' AS own_number,
    substr(value->>'account', 1, instr(value->>'account', '/') - 1) AS device
  FROM json_each(:accounts))`;

const HEARD = `UPDATE sites SET last_seen_at = :now
  WHERE id = :site AND epoch = :epoch AND hello_epoch = :epoch`;
// Told only when something a screen shows as a word has changed: battery and proof are read by the poll.
const TELL_ADMINS = `WITH ${DEVICES}, ${ACCOUNTS}
  INSERT INTO events (at, type, for_admins, data)
  SELECT :now, 'device_changed', 1, json_object('siteId', id) FROM sites WHERE id = :site AND ${FENCE} AND (
    EXISTS (SELECT 1 FROM d LEFT JOIN devices o ON o.site = :site AND o.key = d.key
      WHERE o.id IS NULL OR o.state <> d.state OR o.address <> d.address)
    OR EXISTS (SELECT 1 FROM a LEFT JOIN accounts o ON o.site = :site AND o.key = a.key
      WHERE o.id IS NULL OR o.state <> a.state OR o.own_number IS NOT coalesce(a.own_number, o.own_number))
    OR EXISTS (SELECT 1 FROM devices o
      WHERE o.site = :site AND o.state <> 'offline' AND o.key NOT IN (SELECT key FROM d)))`;
const PUT_DEVICES = `WITH ${DEVICES}
  INSERT INTO devices (site, key, address, model, android_version, state, battery_percent, proof_at,
    addresses, state_detail, first_seen_at, updated_at)
  SELECT :site, key, address, model, android_version, state, battery_percent, proof_at,
    addresses, state_detail, :now, :now
  FROM d WHERE ${FENCE}
  ON CONFLICT (site, key) DO UPDATE SET address = excluded.address, model = excluded.model,
    android_version = excluded.android_version, state = excluded.state,
    battery_percent = excluded.battery_percent, proof_at = coalesce(excluded.proof_at, proof_at),
    addresses = excluded.addresses, state_detail = excluded.state_detail,
    updated_at = :now`;
const PUT_ACCOUNTS = `WITH ${ACCOUNTS}
  INSERT INTO accounts (device, site, key, state, app_version, first_installed_at, user_kind, captions, own_number,
    first_seen_at, updated_at)
  SELECT devices.id, :site, a.key, a.state, a.app_version, a.first_installed_at, a.user_kind, a.captions,
    a.own_number, :now, :now
  FROM a JOIN devices ON devices.site = :site AND devices.key = a.device WHERE ${FENCE}
  ON CONFLICT (site, key) DO UPDATE SET state = excluded.state,
    app_version = coalesce(excluded.app_version, app_version),
    first_installed_at = coalesce(excluded.first_installed_at, first_installed_at),
    user_kind = coalesce(excluded.user_kind, user_kind),
    captions = coalesce(excluded.captions, iif(excluded.app_version <> app_version, NULL, captions)),
    own_number = coalesce(excluded.own_number, own_number), updated_at = :now`;
// A phone that let nobody in was known by its address alone: whose it was nobody can say, once it is gone or has said
// its serial number.
const FORGET_DEVICES = `WITH ${DEVICES} DELETE FROM devices
  WHERE site = :site AND key NOT IN (SELECT key FROM d) AND model = '' AND proof_at IS NULL AND ${FENCE}
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE device = devices.id)
    AND NOT EXISTS (SELECT 1 FROM commands WHERE device = devices.id)`;
const GONE_DEVICES =
  `WITH ${DEVICES} UPDATE devices SET state = 'offline', state_detail = NULL, updated_at = :now
  WHERE site = :site AND state <> 'offline' AND key NOT IN (SELECT key FROM d) AND ${FENCE}`;
const GONE_ACCOUNTS = `WITH ${ACCOUNTS} UPDATE accounts SET state = 'unreachable', updated_at = :now
  WHERE site = :site AND state = 'ok' AND key NOT IN (SELECT key FROM a) AND ${FENCE}`;

/**
 * Records all devices and accounts a site sees now; one it no longer names is offline, an account unreachable, and
 * one that never said who it is is forgotten.
 * Phones keep their identity by hardware serial, wherever adb finds them. What a site does not tell of an account,
 * because its agent is older or could not look, stays as it was; only an app of another version may open pictures
 * otherwise than the one before.
 *
 * @throws SupersededError
 */
export async function recordInventory(
  ctx: EdgeContext,
  connection: SiteConnection,
  inventory: Pick<InventoryFrame, "devices" | "accounts">,
): Promise<void> {
  const args = {
    ...connection,
    now: ctx.now(),
    devices: JSON.stringify(inventory.devices),
    accounts: JSON.stringify(inventory.accounts),
  };
  const [heard, told] = await ctx.db.batch(
    [HEARD, TELL_ADMINS, PUT_DEVICES, PUT_ACCOUNTS, FORGET_DEVICES, GONE_DEVICES, GONE_ACCOUNTS].map((sql) =>
      statement(sql, args)
    ),
    "write",
  );
  if (heard.rowsAffected === 0) throw new SupersededError(connection);
  if (told.rowsAffected > 0) ctx.wakeOutbox();
}
