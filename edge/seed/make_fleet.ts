/** Makes sites with phones and accounts, as if their agents were connected. */
import type { AccountState, DeviceState } from "shared/agent_protocol.ts";
import { readGeneration } from "../sites/generation.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { accounts, sites } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import type { Dice } from "./dice.ts";
import { MODELS, TOWNS, VERSIONS } from "./words.ts";
import type { World } from "./worlds.ts";

export interface MadeAccount {
  id: number;
  site: number;
  device: number;
}

const DAY_MS = 24 * 60 * 60_000;
/**
 * No agent reports for these sites. They stay fresh for this long, otherwise the screens would be empty in a minute.
 * An edge takes times further ahead for those of a wrong clock and sets them back (edge/operations/set_times_back.ts).
 */
const FRESH_MS = 9 * 60_000;

const ADD_DEVICES =
  `INSERT INTO devices (site, key, address, model, android_version, state, battery_percent, proof_at,
    stopped, first_seen_at, updated_at)
  SELECT value->>'site', value->>'key', value->>'address', value->>'model', '14', value->>'state', value->>'battery',
    value->>'proofAt', value->>'stopped', :createdAt, :createdAt FROM json_each(:devices)`;
const ADD_ACCOUNTS =
  `INSERT INTO accounts (device, site, key, state, app_version, first_installed_at, user_kind, captions,
    own_number, confirmed_at, first_seen_at, updated_at)
  SELECT d.id, d.site, d.key || (value->>'suffix'), 'ok', value->>'version', value->>'installedAt', 'owner', 1,
    iif(j.key % 9 = 8, NULL, '+972559' || printf('%06d', j.key)), iif(d.id % 7 = 0, NULL, :createdAt), :createdAt, :createdAt
  FROM json_each(:accounts) j JOIN devices d ON d.key = value->>'device'`;
const SET_DEVICES = "UPDATE devices SET state_since = :at WHERE state <> 'online'";
const SET_ACCOUNTS = `UPDATE accounts SET state = j.value->>'state', updated_at = :at
  FROM json_each(:accounts) j JOIN devices d ON d.key = j.value->>'device'
  WHERE accounts.device = d.id AND accounts.key = d.key || (j.value->>'suffix')`;
/** The apps of some phones were updated, and their site does not know the new screens. */
const NEW_SCREENS = `UPDATE accounts SET state = 'unreachable', updated_at = :at, unknown_since = :at,
    unknown_screen = json_object('fingerprint', '3f9a1c0b52d4e6870a1b2c3d', 'kind', 'screen',
      'window', 'com.whatsapp.Conversation', 'ids', json_array('entry_n', 'send_n'))
  WHERE state = 'ok' AND id % 11 = 5`;
const REST_ONE = `INSERT INTO breaker_trips (at, account, signal, count, sample)
  SELECT :at, min(id), 'failed', 9, 60 FROM accounts WHERE state = 'ok'`;
const LINK_REST = `UPDATE accounts SET trip = (SELECT id FROM breaker_trips t WHERE t.account = accounts.id)
  WHERE id IN (SELECT account FROM breaker_trips)`;

/** Makes the fleet and returns the accounts. */
export async function makeFleet(ctx: EdgeContext, world: World, dice: Dice): Promise<MadeAccount[]> {
  if (world.sites === 0) return [];
  const now = ctx.now();
  const createdAt = now - 60 * DAY_MS;
  const generation = await readGeneration(ctx);
  const madeSites: number[] = [];
  for (let index = 0; index < world.sites; index++) {
    const isAway = world.troubles && index < 2;
    const isStopped = world.troubles && index === 2;
    const isOld = world.troubles && index === 3;
    const site = query.insert(sites).values({
      name: `${index % 2 === 0 ? "מחסן" : "משרד"} ${TOWNS[index % TOWNS.length]}`,
      publicKey: `seed-${now}-${index}`,
      epoch: 1,
      helloEpoch: 1,
      stopped: isStopped,
      stopReason: isStopped ? "journal_doubted" : null,
      answeredGeneration: generation,
      toldGeneration: generation,
      agentVersion: "1.0.0",
      itemTexts: !isOld,
      lastSeenAt: isAway ? now - dice.whole(12, 400) * 60_000 : now + FRESH_MS,
      createdAt,
      reachable: !isAway,
      reachableSince: createdAt,
    }).returning({ id: sites.id });
    madeSites.push((await execute(ctx.db, site)).rows[0]!.id);
  }
  const devices = Array.from({ length: world.devices }, (_, index) => {
    const place = index % madeSites.length;
    return deviceAt(madeSites[place]!, {
      index,
      now,
      dice,
      isLost: world.troubles && place < 2,
      troubles: world.troubles,
    });
  });
  const planned = devices.flatMap(({ key }) => accountsOf(key, { now, dice, troubles: world.troubles }));
  const lost = planned.filter(({ state }) => state !== "ok");
  const args = { createdAt, devices: JSON.stringify(devices), accounts: JSON.stringify(planned) };
  await ctx.db.batch([
    statement(ADD_DEVICES, args),
    statement(ADD_ACCOUNTS, args),
    statement(SET_DEVICES, { at: now - dice.whole(1, 20) * 60_000 }),
    statement(SET_ACCOUNTS, { at: now - dice.whole(1, 20) * 60_000, accounts: JSON.stringify(lost) }),
    ...(world.troubles ? [statement(NEW_SCREENS, { at: now - 40 * 60_000 })] : []),
    ...(world.troubles ? [statement(REST_ONE, { at: now - 3 * 60 * 60_000 }), LINK_REST] : []),
  ], "write");
  const { id, site, device } = accounts;
  return (await execute(ctx.db, query.select({ id, site, device }).from(accounts).orderBy(id))).rows;
}

interface DeviceOptions {
  index: number;
  now: number;
  dice: Dice;
  /** True when its site is silent. */
  isLost: boolean;
  troubles: boolean;
}

function deviceAt(site: number, { index, now, dice, isLost, troubles }: DeviceOptions) {
  const unfit: DeviceState[] = ["offline", "low_battery", "locked", "not_answering", "unauthorized", "hot"];
  const state: DeviceState = dice.percent(troubles ? 30 : 4) ? dice.oneOf(unfit) : "online";
  const isGone = isLost || ["offline", "not_answering", "unauthorized"].includes(state);
  return {
    site,
    key: `R5${String(now % 10_000).padStart(4, "0")}${String(index).padStart(5, "0")}`,
    address: index % 3 === 0 ? `192.168.${site % 250}.${(index % 200) + 10}:5555` : `usb:${index}`,
    model: dice.oneOf(MODELS),
    state,
    battery: state === "low_battery" ? 9 : dice.whole(35, 100),
    proofAt: isGone ? now - dice.whole(1, 900) * 60_000 : now + FRESH_MS,
    stopped: dice.percent(troubles ? 5 : 1) ? 1 : 0,
  };
}

function accountsOf(device: string, { now, dice, troubles }: { now: number; dice: Dice; troubles: boolean }) {
  const suffixes = dice.percent(60) ? ["/com.whatsapp/0"] : ["/com.whatsapp/0", "/com.whatsapp.w4b/0"];
  const bad: AccountState[] = ["banned", "restricted", "logged_out", "app_missing"];
  return suffixes.map((suffix) => ({
    device,
    suffix,
    state: dice.percent(troubles ? 25 : 3) ? dice.oneOf(bad) : "ok",
    version: dice.oneOf(VERSIONS),
    installedAt: now - (dice.percent(5) ? dice.whole(1, 12) : dice.whole(40, 900)) * DAY_MS,
  }));
}
