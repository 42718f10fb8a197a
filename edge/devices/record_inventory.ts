import type { InStatement } from "@libsql/client/web";
import { type AgentFrameOf, MAX_SITE_ACCOUNTS, MAX_SITE_DEVICES } from "shared/agent_protocol.ts";
import type { DeviceNotice } from "shared/standing.ts";
import type { EdgeContext } from "../context.ts";
import { writeBatch } from "../db/write_batch.ts";
import { CURRENT, FENCE, type SiteConnection, SupersededError } from "../queue/fence.ts";
import { hasEventsLeft, LINES_LATELY, MOST_LINES } from "../events/site_bounds.ts";
import { statement } from "../db/statement.ts";
import { turnLoop } from "../time/turn_loop.ts";

export type InventoryFrame = AgentFrameOf<"inventory">;

const DEVICES = `d AS MATERIALIZED (
  SELECT value->>'device' AS key, value->>'address' AS address, value->>'model' AS model,
    value->>'androidVersion' AS android_version, value->>'state' AS state,
    value->>'batteryPercent' AS battery_percent, min(value->>'proofAt', :now) AS proof_at,
    value->>'addresses' AS addresses, value->>'stateDetail' AS state_detail, value->>'stopped' AS site_stopped,
    value->>'trial' AS trial
  FROM json_each(:devices))`;
// If the phone's clock was ahead at installation, the account would seem new for that long: store the age as unknown.
const ACCOUNTS = `a AS MATERIALIZED (
  SELECT value->>'account' AS key, value->>'state' AS state, value->>'appVersion' AS app_version,
    iif(value->>'firstInstalledAt' <= :now, value->>'firstInstalledAt', NULL) AS first_installed_at,
    value->>'userKind' AS user_kind,
    value->>'captions' AS captions, value->>'ownNumber' AS own_number,
    nullif(value->'unknownScreen', 'null') AS unknown_screen, value->>'screensSeen' AS screens_seen,
    substr(value->>'account', 1, instr(value->>'account', '/') - 1) AS device
  FROM json_each(:accounts))`;

// Every read of a field parses the whole JSON object again. Most statements need few fields, so they get short arrays
// or only the keys.
const DEVICES_SEEN = `d AS MATERIALIZED (
  SELECT value->>0 AS key, value->>1 AS state, value->>2 AS address, value->>3 AS site_stopped, value->>4 AS trial
  FROM json_each(:devicesSeen))`;
const ACCOUNTS_SEEN = `a AS MATERIALIZED (
  SELECT value->>0 AS key, value->>1 AS state, value->>2 AS own_number FROM json_each(:accountsSeen))`;
const DEVICE_KEYS = "(SELECT value FROM json_each(:deviceKeys))";
const ACCOUNT_KEYS = "(SELECT value FROM json_each(:accountKeys))";

const DRAFT_LEFT = "draft_left" satisfies DeviceNotice;
const HEARD = `UPDATE sites SET last_seen_at = :now WHERE ${CURRENT}`;
// Notify only after a visible state changes; screens poll for battery and proof of life.
const ADMINS_EVENT = `WITH ${DEVICES_SEEN}, ${ACCOUNTS_SEEN}
  INSERT INTO events (at, type, for_admins, data)
  SELECT :now, 'device_changed', 1, json_object('siteId', id) FROM sites WHERE id = :site AND ${FENCE}
    AND ${
  hasEventsLeft("event.type = 'device_changed' AND event.data = json_object('siteId', sites.id)")
} AND (
    EXISTS (SELECT 1 FROM d LEFT JOIN devices o ON o.site = :site AND o.key = d.key
      WHERE o.id IS NULL OR o.state <> d.state OR o.address <> d.address OR o.site_stopped IS NOT d.site_stopped
        OR o.trial IS NOT d.trial)
    OR EXISTS (SELECT 1 FROM a LEFT JOIN accounts o ON o.site = :site AND o.key = a.key
      WHERE o.id IS NULL OR o.state <> a.state OR o.own_number IS NOT coalesce(a.own_number, o.own_number))
    OR EXISTS (SELECT 1 FROM devices o
      WHERE o.site = :site AND o.state <> 'offline' AND o.key NOT IN ${DEVICE_KEYS}))`;
/** After this many lines, a site may write one more. */
const LAST_LINE = MOST_LINES - 1;
// Several changes make one line of activity: the triggers write a line each only while inventory_changes is null. A
// single change makes one too when the site has one line left.
const COUNT_CHANGES = `WITH ${DEVICES_SEEN}, ${ACCOUNTS_SEEN},
  changes AS (
    SELECT CASE WHEN o.id IS NULL THEN 'added' WHEN d.state = 'online' THEN 'online'
      WHEN d.state = 'offline' THEN 'offline' ELSE 'unfit' END AS what
    FROM d LEFT JOIN devices o ON o.site = :site AND o.key = d.key WHERE o.id IS NULL OR o.state <> d.state
    UNION ALL SELECT 'offline' FROM devices o
    WHERE o.site = :site AND o.state <> 'offline' AND o.key NOT IN ${DEVICE_KEYS}
    UNION ALL SELECT CASE WHEN a.state IN ('banned', 'restricted') THEN 'banned' ELSE 'accounts' END
    FROM a JOIN accounts o ON o.site = :site AND o.key = a.key
    WHERE o.state <> a.state AND 'unreachable' NOT IN (o.state, a.state)
    UNION ALL SELECT 'numbers' FROM a JOIN accounts o ON o.site = :site AND o.key = a.key
    WHERE o.own_number <> a.own_number)
  UPDATE sites SET inventory_changes = (SELECT json_group_object(what, n)
    FROM (SELECT what, count(*) AS n FROM changes GROUP BY what))
  WHERE ${CURRENT} AND CASE (SELECT count(*) FROM changes) WHEN 0 THEN 0 WHEN 1 THEN ${LINES_LATELY} >= ${LAST_LINE}
    ELSE 1 END`;
const CHANGES_ACTIVITY = `INSERT INTO activity (at, kind, code, data, site)
  SELECT :now,
    CASE WHEN ${LINES_LATELY} = ${LAST_LINE} THEN 'warning' WHEN inventory_changes ->> 'banned' > 0 THEN 'error'
      WHEN coalesce(inventory_changes ->> 'offline', inventory_changes ->> 'unfit', inventory_changes ->> 'accounts',
        inventory_changes ->> 'numbers') > 0 THEN 'warning' ELSE 'info' END,
    CASE WHEN ${LINES_LATELY} = ${LAST_LINE} THEN 'inventory_muted'
      WHEN inventory_changes ->> 'banned' > 0 THEN 'inventory_banned' ELSE 'inventory_changed' END,
    json_set(inventory_changes, '$.site', name), id
  FROM sites WHERE id = :site AND inventory_changes IS NOT NULL AND ${LINES_LATELY} < ${MOST_LINES}`;
const FORGET_CHANGES = `UPDATE sites SET inventory_changes = NULL
  WHERE id = :site AND inventory_changes IS NOT NULL`;
const PUT_DEVICES = `WITH ${DEVICES}
  INSERT INTO devices (site, key, address, model, android_version, state, battery_percent, proof_at,
    addresses, state_detail, site_stopped, trial, first_seen_at, updated_at)
  SELECT :site, key, address, model, android_version, state, battery_percent, proof_at,
    addresses, state_detail, site_stopped, trial, :now, :now
  FROM d WHERE ${FENCE}
  ON CONFLICT (site, key) DO UPDATE SET address = excluded.address, model = excluded.model,
    android_version = excluded.android_version, state = excluded.state,
    battery_percent = excluded.battery_percent, proof_at = coalesce(excluded.proof_at, proof_at),
    addresses = excluded.addresses, state_detail = excluded.state_detail,
    site_stopped = excluded.site_stopped, trial = excluded.trial,
    trial_since = iif(excluded.trial IS NOT trial, :now, trial_since), updated_at = :now`;
const PUT_ACCOUNTS = `WITH ${ACCOUNTS}
  INSERT INTO accounts (device, site, key, state, app_version, first_installed_at, user_kind, captions, own_number,
    unknown_screen, unknown_since, screens_seen, trusted, first_seen_at, updated_at)
  SELECT devices.id, :site, a.key, a.state, a.app_version, a.first_installed_at, a.user_kind, a.captions,
    a.own_number, a.unknown_screen, iif(a.unknown_screen IS NULL, NULL, :now),
    a.screens_seen, (SELECT simulated FROM sites WHERE id = :site), :now, :now
  FROM a JOIN devices ON devices.site = :site AND devices.key = a.device WHERE ${FENCE}
  ON CONFLICT (site, key) DO UPDATE SET state = excluded.state,
    app_version = coalesce(excluded.app_version, app_version),
    first_installed_at = coalesce(excluded.first_installed_at, first_installed_at),
    user_kind = coalesce(excluded.user_kind, user_kind),
    captions = coalesce(excluded.captions, iif(excluded.app_version <> app_version, NULL, captions)),
    own_number = coalesce(excluded.own_number, own_number), unknown_screen = excluded.unknown_screen,
    screens_seen = excluded.screens_seen,
    unknown_since = CASE WHEN excluded.unknown_screen IS NULL THEN NULL
      WHEN excluded.unknown_screen->>'fingerprint' IS unknown_screen->>'fingerprint' THEN unknown_since
      ELSE :now END, updated_at = :now`;
// A site may name new phones in each inventory. Above the limit it keeps only phones named now and phones with a past.
const IS_OVER_BOUND = `((SELECT count(*) FROM devices WHERE site = :site) > ${MAX_SITE_DEVICES}
  OR (SELECT count(*) FROM accounts WHERE site = :site) > ${MAX_SITE_ACCOUNTS})`;
const FORGET_ACCOUNTS = `DELETE FROM accounts
  WHERE site = :site AND ${IS_OVER_BOUND} AND key NOT IN ${ACCOUNT_KEYS} AND ${FENCE}
    AND last_sent_at IS NULL AND confirmed_at IS NULL AND trip IS NULL AND label = ''
    AND NOT EXISTS (SELECT 1 FROM account_days t WHERE t.account = accounts.id)`;
const FORGET_SURPLUS = `DELETE FROM devices
  WHERE site = :site AND ${IS_OVER_BOUND} AND key NOT IN ${DEVICE_KEYS} AND stopped = 0 AND ${FENCE}
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE device = devices.id)
    AND NOT EXISTS (SELECT 1 FROM commands WHERE device = devices.id)`;
// A phone that refused access was known only by its address. Once it is gone or has revealed its serial number, nothing
// shows which phone the row meant.
const FORGET_DEVICES = `DELETE FROM devices
  WHERE site = :site AND key NOT IN ${DEVICE_KEYS} AND model = '' AND proof_at IS NULL AND ${FENCE}
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE device = devices.id)
    AND NOT EXISTS (SELECT 1 FROM commands WHERE device = devices.id)`;
// An agent that has started again does not know a phone that is away, but a draft in its chat is still there.
const GONE_DEVICES = `UPDATE devices SET state = 'offline',
    state_detail = iif(state_detail = '${DRAFT_LEFT}' OR state_detail LIKE '${DRAFT_LEFT}: %', '${DRAFT_LEFT}', NULL),
    updated_at = :now
  WHERE site = :site AND state <> 'offline' AND key NOT IN ${DEVICE_KEYS} AND ${FENCE}`;
const GONE_ACCOUNTS = `UPDATE accounts SET state = 'unreachable', updated_at = :now
  WHERE site = :site AND state = 'ok' AND key NOT IN ${ACCOUNT_KEYS} AND ${FENCE}`;
// An agent that has started again has not met the screen again.
const GONE_SCREENS = `UPDATE accounts SET unknown_screen = NULL, unknown_since = NULL
  WHERE site = :site AND unknown_screen IS NOT NULL AND key NOT IN ${ACCOUNT_KEYS} AND ${FENCE}`;

/** The most accounts in one transaction: each new one fires triggers, and other writers wait. */
const ACCOUNTS_AT_ONCE = 500;
const BEFORE = [ADMINS_EVENT, COUNT_CHANGES, PUT_DEVICES];
const AFTER = [
  FORGET_DEVICES,
  GONE_DEVICES,
  GONE_ACCOUNTS,
  GONE_SCREENS,
  FORGET_ACCOUNTS,
  FORGET_SURPLUS,
  CHANGES_ACTIVITY,
  FORGET_CHANGES,
];

/**
 * Records all devices and accounts that a site sees now. A missing device becomes offline, a missing account
 * unreachable, and a device that never identified itself is deleted. Above MAX_SITE_DEVICES, missing phones that never
 * worked are deleted too. Several changes make one line of activity, at most MOST_LINES per site and hour. A phone
 * keeps its identity by hardware serial at any address. Account facts absent from the report stay unchanged; only a new
 * app version resets the ability to open pictures.
 *
 * @throws {SupersededError}
 */
export async function recordInventory(
  ctx: EdgeContext,
  connection: SiteConnection,
  inventory: Pick<InventoryFrame, "devices" | "accounts">,
): Promise<void> {
  const { devices, accounts } = inventory;
  const args = {
    ...connection,
    now: ctx.now(),
    devices: JSON.stringify(devices),
    devicesSeen: JSON.stringify(
      devices.map((one) => [one.device, one.state, one.address, one.stopped ?? null, one.trial ?? null]),
    ),
    accountsSeen: JSON.stringify(
      accounts.map(({ account, state, ownNumber }) => [account, state, ownNumber]),
    ),
    deviceKeys: JSON.stringify(devices.map(({ device }) => device)),
    accountKeys: JSON.stringify(accounts.map(({ account }) => account)),
  };
  const put: InStatement[] = [];
  for (let at = 0; at < accounts.length || at === 0; at += ACCOUNTS_AT_ONCE) {
    const slice = JSON.stringify(accounts.slice(at, at + ACCOUNTS_AT_ONCE));
    put.push(statement(PUT_ACCOUNTS, { ...args, accounts: slice }));
  }
  const [before, after] = [BEFORE, AFTER].map((list) => list.map((sql) => statement(sql, args)));
  // Write a large inventory in parts; `inventory_changes` silences the triggers until the end. After an interruption
  // the next inventory continues from there.
  const batches = put.length === 1
    ? [[...before, ...put, ...after]]
    : [...[...before, ...put].map((one) => [one]), after];
  for (const [no, batch] of batches.entries()) {
    if (no > 0) await turnLoop();
    const { heard, written: [event] } = await writeBatch(ctx.db, {
      heard: statement(HEARD, args),
      written: batch,
    });
    if (heard.rowsAffected === 0) throw new SupersededError(connection);
    if (no === 0 && event.rowsAffected > 0) ctx.wakeOutbox();
  }
}
