import type { DeviceDetail } from "shared/admin_api.ts";
import { shownReasonSchema } from "../campaigns/deliveries.ts";
import { maskingOf, shownPhone } from "../numbers/mask_phone.ts";
import type { EdgeContext } from "../context.ts";
import { type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { accounts, accountScores, campaigns, deliveries } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { viewAccount } from "./adb_status.ts";
import { listCommands } from "./read_commands.ts";
import type { AccountNow } from "./account_now.ts";
import { worstAccount } from "./device_now.ts";
import { readDevices } from "./read_devices.ts";

type DeviceDelivery = DeviceDetail["deliveries"][number];

const SHOWN = 50;

const SCORES = `SELECT account, day, score FROM account_scores
  WHERE account IN (SELECT id FROM accounts WHERE device = :device) ORDER BY account, day LIMIT 1000`;
// Ids separated by spaces; the last one may be cut.
const RECENT_IDS = `SELECT i.value FROM accounts r
  JOIN json_each('[' || replace(rtrim(rtrim(r.recent, '0123456789')), ' ', ',') || ']') i WHERE r.device = :device`;
// Leased now, or among the last outcomes.
const DELIVERIES =
  `SELECT d.id, d.phone, d.state, d.acked_at, d.reason, d.updated_at, d.campaign, c.name, a.key,
    c.queued_count + c.leased_count + c.sent_count + c.failed_count + c.unknown_count + c.skipped_count
    + c.cancelled_count AS total
  FROM deliveries d JOIN campaigns c ON c.id = d.campaign JOIN accounts a ON a.id = d.account
  WHERE d.id IN (${RECENT_IDS} UNION SELECT id FROM deliveries
      WHERE site = (SELECT site FROM devices WHERE id = :device) AND state = 'leased')
    AND a.device = :device ORDER BY d.updated_at DESC, d.id DESC LIMIT ${SHOWN}`;

const DELIVERY_FIELDS = {
  id: deliveries.id,
  phone: deliveries.phone,
  state: deliveries.state,
  ackedAt: deliveries.ackedAt,
  reason: deliveries.reason,
  at: deliveries.updatedAt,
  campaignId: deliveries.campaign,
  campaignName: campaigns.name,
  key: accounts.key,
  total: wholeNumber,
};

/** Returns a device with its accounts, recent work and commands. @throws {HttpError} `not_found` */
export async function readDeviceDetail(ctx: EdgeContext, id: number): Promise<DeviceDetail> {
  const [[device], deliveries, commands, history] = await Promise.all([
    readDevices(ctx, id),
    recentDeliveries(ctx, id),
    listCommands(ctx, id),
    scoreHistory(ctx, id),
  ]);
  if (device === undefined) throw new HttpError("not_found");
  return {
    id,
    serial: device.key,
    name: device.name,
    address: device.address,
    model: device.model,
    androidVersion: device.androidVersion,
    state: device.state,
    stateSince: device.stateSince,
    stateDetail: device.stateDetail,
    addresses: device.addresses,
    adbConnected: device.isConnected,
    proofAt: device.proofAt,
    batteryPercent: device.batteryPercent,
    stopped: device.isStopped,
    siteStopped: device.isSiteStopped,
    owesRehearsal: device.owesRehearsal,
    firstSeenAt: device.firstSeenAt,
    usedToday: device.usedToday,
    capPerDay: device.capPerDay,
    leftToday: device.leftToday,
    leftNow: device.leftNow,
    standing: device.standing,
    held: device.held,
    riskScore: worstAccount(device)?.risk.score ?? 0,
    site: {
      id: device.site.id,
      name: device.site.name,
      connected: device.site.isConnected,
      lastSeenAt: device.site.lastSeenAt,
    },
    accounts: device.accounts.map((account) => viewWhole(account, history.get(account.id) ?? [])),
    deliveries,
    commands,
  };
}

type DeviceAccount = DeviceDetail["accounts"][number];

function viewWhole(account: AccountNow, riskHistory: DeviceAccount["riskHistory"]): DeviceAccount {
  return {
    ...viewAccount(account),
    state: account.state,
    stateSince: account.stateSince,
    unknownScreen: account.unknownScreen,
    riskReasons: account.risk.reasons,
    riskAdvice: account.risk.advice,
    riskHistory,
    trip: account.trip,
    firstInstalledAt: account.firstInstalledAt,
    userKind: account.userKind,
    captions: account.captions,
    screensSeen: account.screensSeen,
    ownNumber: account.ownNumber,
    sent24h: account.sent,
    failed24h: account.failed,
    unknown24h: account.unknown,
  };
}

/** Returns the last risk scores of each account of a device, oldest first. */
async function scoreHistory(
  ctx: EdgeContext,
  device: number,
): Promise<Map<number, DeviceAccount["riskHistory"]>> {
  const result = await ctx.db.execute(statement(SCORES, { device }));
  const { account, day, score } = accountScores;
  const history = new Map<number, DeviceAccount["riskHistory"]>();
  for (const row of rowsAs(result, { account, day, score })) {
    const days = history.get(row.account) ?? [];
    history.set(row.account, [...days, { day: row.day, score: row.score }]);
  }
  return history;
}

async function recentDeliveries(ctx: EdgeContext, device: number): Promise<DeviceDelivery[]> {
  return rowsAs(await ctx.db.execute(statement(DELIVERIES, { device })), DELIVERY_FIELDS).map(viewDelivery);
}

function viewDelivery(
  { key, total, ackedAt, state, ...row }: RowAs<typeof DELIVERY_FIELDS>,
): DeviceDelivery {
  const isOffered = state === "leased" && ackedAt === null;
  return {
    ...row,
    phone: shownPhone(row.phone, maskingOf(true, total)),
    state: isOffered ? "queued" : state,
    reason: shownReasonSchema.parse(row.reason),
    account: key.split("/").slice(1).join("/"),
  };
}
