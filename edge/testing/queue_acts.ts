/** Short forms of a site's actions, for the tests of the queue. */
import type { Outcome, ReportItem } from "shared/agent_protocol.ts";
import { acknowledgeLease, type GoFrame } from "../queue/lease_ack.ts";
import { leaseDeliveries, type LeaseFrame } from "../queue/lease.ts";
import { reportOutcomes } from "../queue/report.ts";
import { sendCampaign } from "../queue/send.ts";
import { type Fleet, outcomesOf, type TestClient, type TestSite } from "./fleet.ts";

export interface SentCampaign {
  id: number;
  client: TestClient;
  phones: string[];
}

/** Adds a campaign that was just sent; by default its client has used up its quota. */
export async function sendNew(
  fleet: Fleet,
  contacts: number,
  client?: TestClient,
): Promise<SentCampaign> {
  const owner = client ?? await fleet.addClient(contacts);
  const campaign = await fleet.addCampaign(owner, contacts);
  await sendCampaign(fleet.ctx, owner, campaign.id);
  return { ...campaign, client: owner };
}

/** Asks for up to `room` deliveries for each of the site's devices. */
export function pull(fleet: Fleet, site: TestSite, room = 10): Promise<LeaseFrame | null> {
  const devices = site.devices.map((id) => ({ id, room }));
  return leaseDeliveries(fleet.ctx, { site: site.site, epoch: site.epoch, devices });
}

export function acknowledge(fleet: Fleet, site: TestSite, token: string): Promise<GoFrame> {
  return acknowledgeLease(fleet.ctx, { ...site, token, journalCounter: 1_000_000 });
}

/** Pulls and acknowledges; fails when nothing is leased. */
export async function take(fleet: Fleet, site: TestSite, room = 10): Promise<LeaseFrame> {
  const lease = await pull(fleet, site, room);
  if (lease === null) throw new Error("Cannot take a lease: nothing is due");
  await acknowledge(fleet, site, lease.token);
  return lease;
}

/** Reports items unchanged; returns the results in order. */
export async function reportItems(fleet: Fleet, site: TestSite, items: ReportItem[]): Promise<string[]> {
  const ack = await reportOutcomes(fleet.ctx, { ...site, seq: 1, journalCounter: 1_000_000, items });
  return ack.items.map((item) => item.result);
}

/** Reports one outcome for every item of a lease. */
export function report(
  fleet: Fleet,
  site: TestSite,
  lease: LeaseFrame,
  outcome: Outcome,
  more: Partial<ReportItem> = {},
): Promise<string[]> {
  return reportItems(fleet, site, outcomesOf(lease, outcome, more));
}

/** Returns the rows of a waiting lease as hello lists them. */
export function openRows(lease: LeaseFrame, at: "held" | "tapping" | "done" = "held") {
  return lease.items.map(({ phone, attempt }) => ({
    token: lease.token,
    campaign: lease.campaign,
    phone,
    attempt,
    at,
  }));
}

/** Returns the recalls sent to all sites, newest last. */
export async function recalled(fleet: Fleet): Promise<{ site: number; token: string; phones: string[] }[]> {
  const { rows } = await fleet.ctx.db.execute(
    "SELECT site, data FROM events WHERE type = 'recall' ORDER BY id",
  );
  return rows.map((row) => ({ site: Number(row.site), ...JSON.parse(String(row.data)) }));
}

export async function balanceOf(fleet: Fleet, client: { id: number }): Promise<number> {
  const row = await fleet.one(`SELECT message_quota FROM users WHERE id = ${client.id}`);
  return Number(row.message_quota);
}

export async function statusOf(fleet: Fleet, campaign: { id: number }): Promise<string> {
  return String((await fleet.one(`SELECT status FROM campaigns WHERE id = ${campaign.id}`)).status);
}
