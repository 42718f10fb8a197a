/** Phones and accounts that can send, by state, and whether the sending hours are open. */
import type { Client } from "@libsql/client/web";
import { ACCOUNT_STATES, type AccountState, DEVICE_STATES, type DeviceState } from "shared/agent_protocol.ts";
import { CAMPAIGN_KINDS, type CampaignKind } from "shared/campaign.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { condition, rowsAs, wholeNumber } from "../db/query.ts";
import { accounts, campaigns, devices } from "../db/schema.ts";
import { readBatch } from "../db/write_batch.ts";
import { deviceStateOf } from "../devices/device_now.ts";
import { HAS_GIVEN_BACK, roomArgs } from "../health/account_room.ts";
import { HOURS_ALLOW, hoursArgs } from "../time/sending_hours.ts";
import { statement } from "../db/statement.ts";

export interface FleetFigures {
  /** States as on the screen of devices, for sites that are not revoked. */
  phones: Record<DeviceState, number>;
  accounts: Record<AccountState, number>;
  /** Sites with an account that gave back today more deliveries than its daily cap. */
  sitesGaveBack: number;
  /** Whether the claim takes campaigns of a kind at this hour, 1 or 0. */
  withinHours: Record<CampaignKind, number>;
}

const PHONES = `SELECT devices.state, proof_at > :now - ${DEAD_SOCKET_MS} AS "isProven",
    last_seen_at > :now - ${DEAD_SOCKET_MS} AS "isSiteConnected", count(*) AS total
  FROM devices JOIN sites ON sites.id = devices.site WHERE revoked = 0 GROUP BY 1, 2, 3`;
const ACCOUNTS = `SELECT state, count(*) AS total FROM accounts JOIN sites ON sites.id = accounts.site
  WHERE revoked = 0 GROUP BY state`;
const GAVE_BACK = `SELECT count(DISTINCT a.site) AS sites FROM accounts a JOIN sites s ON s.id = a.site
  JOIN account_days t ON t.account = a.id AND t.day = :day WHERE s.revoked = 0 AND ${HAS_GIVEN_BACK}`;
const HOURS = `SELECT c.kind, ${HOURS_ALLOW} AS allowed
  FROM (SELECT value AS kind, NULL AS hours_waived_at FROM json_each(:kinds)) c`;

/**
 * Reads the figures in one round trip, with one pass through phones and two through accounts; `now` in milliseconds.
 */
export async function readFleetFigures(db: Client, now: number): Promise<FleetFigures> {
  const args = { now, kinds: JSON.stringify(CAMPAIGN_KINDS), ...roomArgs(now), ...hoursArgs(now) };
  const found = await readBatch(db, {
    phones: statement(PHONES, args),
    accounts: statement(ACCOUNTS, args),
    gaveBack: statement(GAVE_BACK, args),
    hours: statement(HOURS, args),
  });
  const known = { isProven: condition, isSiteConnected: condition };
  const phones = rowsAs(found.phones, { state: devices.state, ...known, total: wholeNumber });
  const hours = rowsAs(found.hours, { kind: campaigns.kind, allowed: wholeNumber });
  return {
    phones: addUp(
      DEVICE_STATES,
      phones.map((row) => ({ state: deviceStateOf(row.state, row), total: row.total })),
    ),
    accounts: addUp(ACCOUNT_STATES, rowsAs(found.accounts, { state: accounts.state, total: wholeNumber })),
    sitesGaveBack: rowsAs(found.gaveBack, { sites: wholeNumber })[0]!.sites,
    withinHours: Object.fromEntries(
      hours.map(({ kind, allowed }) => [kind, allowed]),
    ) as FleetFigures["withinHours"],
  };
}

/** Sums the totals of rows by state; a state without rows has 0. */
function addUp<State extends string>(
  states: readonly State[],
  rows: readonly { state: State; total: number }[],
): Record<State, number> {
  const sums = Object.fromEntries(states.map((state) => [state, 0])) as Record<State, number>;
  for (const { state, total } of rows) sums[state] += total;
  return sums;
}
