import type { AccountState } from "shared/agent_protocol.ts";
import type { ACCOUNT_MARKS, AdbStatus } from "shared/http_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { localDay } from "../queue/local_day.ts";
import { statement } from "../queue/statement.ts";
import { riskScore } from "./risk_score.ts";

type AccountMark = typeof ACCOUNT_MARKS[number];
type Device = AdbStatus["devices"][number];

/** An account that sent within this is active. */
const ACTIVE_MS = 60 * 60_000;
/** adb sees a phone in any other state, though it may not be fit to send. */
const NOT_CONNECTED = ["offline", "unauthorized", "booting", "not_answering"];

const DEVICES = `SELECT d.id, d.address, d.model, d.key, d.state, d.proof_at, s.name AS site
  FROM devices d JOIN sites s ON s.id = d.site WHERE s.revoked = 0 ORDER BY s.name, d.address, d.id`;
const ACCOUNTS = `SELECT a.id, a.device, a.key, a.state, a.app_version, a.last_sent_at,
    coalesce(t.used, 0) AS used,
    EXISTS (SELECT 1 FROM deliveries l WHERE l.state = 'leased' AND l.site = a.site AND l.account = a.id) AS in_hand
  FROM accounts a JOIN sites s ON s.id = a.site
  LEFT JOIN account_days t ON t.account = a.id AND t.day = :day
  WHERE s.revoked = 0 ORDER BY a.key`;

/**
 * Every phone of every site with its accounts. Connected = a command came back from it within 30 seconds; a
 * count of messages is that of today in Israel.
 */
export async function readAdbStatus(ctx: EdgeContext): Promise<AdbStatus> {
  const now = ctx.now();
  const [deviceRows, accountRows] = await ctx.db.batch(
    [statement(DEVICES, {}), statement(ACCOUNTS, { day: localDay(now) })],
    "read",
  );
  const devices = new Map<number, Device>();
  for (const row of deviceRows!.rows) {
    const proofAt = row.proof_at === null ? null : Number(row.proof_at);
    devices.set(Number(row.id), {
      id: Number(row.id),
      address: String(row.address),
      name: String(row.model) || String(row.key),
      site: String(row.site),
      adbConnected: !NOT_CONNECTED.includes(String(row.state)) && proofAt !== null &&
        proofAt > now - DEAD_SOCKET_MS,
      proofAt,
      accounts: [],
    });
  }
  for (const row of accountRows!.rows) {
    const state = row.state as AccountState;
    const lastActivity = row.last_sent_at === null ? null : Number(row.last_sent_at);
    devices.get(Number(row.device))?.accounts.push({
      id: Number(row.id),
      // `<device>/<package>/<Android user>`: the card already names the device.
      account: String(row.key).split("/").slice(1).join("/"),
      status: markOf(state, row.in_hand === 1, lastActivity !== null && lastActivity > now - ACTIVE_MS),
      messagesCount: Number(row.used),
      riskScore: riskScore(state),
      whatsappVersion: row.app_version === null ? null : String(row.app_version),
      lastActivity,
    });
  }
  const all = [...devices.values()];
  const online = all.filter((device) => device.adbConnected).length;
  return { devices: all, summary: { total: all.length, online, offline: all.length - online } };
}

function markOf(state: AccountState, isInHand: boolean, sentLately: boolean): AccountMark {
  if (state === "banned" || state === "restricted") return "banned";
  if (isInHand) return "processing";
  return sentLately ? "active" : "idle";
}
