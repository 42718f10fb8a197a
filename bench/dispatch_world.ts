/** A database with running campaigns and sites whose phones lease from them, through the real verbs. */
import type { Client } from "@libsql/client/web";
import process from "node:process";
import { acknowledgeLease } from "../edge/queue/lease_ack.ts";
import { leaseDeliveries, type LeaseFrame } from "../edge/queue/lease.ts";
import { reportOutcomes } from "../edge/queue/report.ts";
import type { EdgeContext } from "../edge/context.ts";
import { testContext } from "../edge/testing/test_context.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import { openTestDatabase } from "../edge/testing/test_db.ts";
import { requiredFieldsOf, type TextPart } from "shared/personal_text.ts";
import { percentile } from "./figure.ts";

export interface DispatchSize {
  /** Deliveries per campaign. */
  deliveries: number;
  /** Number of campaigns, each of its own client; default 1. */
  campaigns?: number;
  /** Phones per site. */
  phones: number;
  /** The text of all, or the parts of a personal message and the values of each recipient; default one letter. */
  text?: { message: string; parts?: readonly TextPart[]; values?: Record<string, string> };
  /** Default 1. */
  sites?: number;
  /** Work that a power cut may lose: nothing, as at every edge (default), or the last second. */
  mayLose?: "nothing" | "a second";
  /** A webhook for messages, of these campaigns' client or of another; default none. */
  webhook?: "without" | "others" | "own";
}

export interface DispatchRun {
  deliveries: number;
  seconds: number;
  /** Processor time of this process; the rest of `seconds` was waiting for the disk or other programs. */
  cpuSeconds: number;
  perSecond: number;
  /** Median time of one site's round: lease, leaseAck and report of a whole batch. */
  roundP50Ms: number;
  roundP99Ms: number;
}

export interface DispatchWorld extends AsyncDisposable {
  ctx: EdgeContext;
  /** Path of the SQLite file. */
  path: string;
  /**
   * Sends `deliveries` in sequential rounds of `batch` phones at every site, and hands on each lease.
   *
   * @throws {Error} when fewer deliveries are queued
   */
  send(deliveries: number, batch: number, onLease?: (lease: LeaseFrame) => void): Promise<DispatchRun>;
}

const EPOCH = 1;
const SECOND_MS = 1_000;

/** Opens the world on a new file; `phones` take turns when a batch is smaller. */
export async function openDispatchWorld(size: DispatchSize): Promise<DispatchWorld> {
  const database = await openTestDatabase({ under: DISK });
  const { db, path } = database;
  await db.executeMultiple(worldSql(size));
  if (size.webhook === "own" || size.webhook === "others") {
    const hears = size.webhook === "own" ? "(SELECT min(client) FROM campaigns)" : "999999";
    await db.execute(
      `INSERT INTO webhook_endpoints (owner, hears, label, url, types, messages, secret, cursor, created_at)
       SELECT min(client), ${hears}, 'CRM', 'http://127.0.0.1:9/', 'message.sent', 1, 'none', 0, 0 FROM campaigns`,
    );
  }
  const syncing = size.mayLose === "a second" ? await syncEachSecond(db) : undefined;
  const ctx = testContext(db);
  return {
    ctx,
    path,
    send: (deliveries, batch, onLease) => sendThrough(ctx, size, deliveries, batch, onLease),
    [Symbol.asyncDispose]() {
      clearInterval(syncing);
      return database.close();
    },
  };
}

/** Syncs every second with a checkpoint; without FULL, nothing else syncs the commits. */
async function syncEachSecond(db: Client): Promise<ReturnType<typeof setInterval>> {
  await db.executeMultiple("PRAGMA synchronous = NORMAL");
  return setInterval(() => void db.executeMultiple("PRAGMA wal_checkpoint"), SECOND_MS);
}

/** Sends with any context whose database contains such a world. */
export async function sendThrough(
  ctx: EdgeContext,
  { phones, sites = 1 }: Pick<DispatchSize, "phones" | "sites">,
  deliveries: number,
  batch: number,
  onLease: (lease: LeaseFrame) => void = () => {},
): Promise<DispatchRun> {
  const roundsMs: number[] = [];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const each = deliveries / sites;
  const sent = await Promise.all(
    Array.from(
      { length: sites },
      (_, index) => sendFrom(ctx, { site: index + 1, phones, batch, onLease }, each, roundsMs),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const total = sent.reduce((sum, one) => sum + one, 0);
  return {
    deliveries: total,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    perSecond: total / seconds,
    roundP50Ms: percentile(roundsMs, 0.5),
    roundP99Ms: percentile(roundsMs, 0.99),
  };
}

/** Runs one site's rounds sequentially; returns the number of sent deliveries. */
async function sendFrom(
  ctx: EdgeContext,
  { site, phones, batch, onLease }: {
    site: number;
    phones: number;
    batch: number;
    onLease(lease: LeaseFrame): void;
  },
  deliveries: number,
  roundsMs: number[],
): Promise<number> {
  const devices = Array.from({ length: phones }, (_, index) => ({ id: `D${index + 1}`, room: 1 }));
  const asking = (sent: number) =>
    Array.from({ length: batch }, (_, index) => devices[(sent + index) % phones]);
  let sent = 0;
  let lease = await leaseDeliveries(ctx, { site, epoch: EPOCH, devices: asking(sent) });
  while (sent < deliveries) {
    if (!lease) throw new Error("Nothing is left to send");
    const beganAt = performance.now();
    onLease(lease);
    sent += lease.items.length;
    // Like an agent, request the next lease with the report.
    lease = await sendRound(ctx, site, lease, sent < deliveries ? asking(sent) : []);
    roundsMs.push(performance.now() - beganAt);
  }
  return sent;
}

let rounds = 0;

/** Sends the acknowledgement, then the report that returns the next lease. */
async function sendRound(
  ctx: EdgeContext,
  site: number,
  lease: LeaseFrame,
  devices: { id: string; room: number }[],
): Promise<LeaseFrame | null> {
  const connection = { site, epoch: EPOCH };
  const journalCounter = ++rounds;
  await acknowledgeLease(ctx, { ...connection, token: lease.token, journalCounter });
  const items = lease.items.map((item) => ({
    token: lease.token,
    campaign: lease.campaign,
    phone: item.phone,
    attempt: item.attempt,
    outcome: "sent" as const,
    temporary: false,
    reason: null,
    account: item.account,
    tappedAt: Date.now(),
  }));
  const report = { ...connection, seq: journalCounter, journalCounter, items, asks: devices };
  return (await reportOutcomes(ctx, report)).lease ?? null;
}

/** Returns SQL that fills a migrated database. */
function worldSql({ deliveries, campaigns = 1, phones, sites = 1, text }: DispatchSize): string {
  const { message, parts, values } = text ?? { message: "b" };
  const required = requiredFieldsOf(parts ?? []);
  return `
    INSERT INTO users (username, username_key, password_hash, role, created_at)
      SELECT 'b' || value, 'b' || value, '', 'client', 0 FROM ${upTo(campaigns)};
    INSERT INTO quota_ledger (client, at, kind, delta) SELECT id, 0, 'grant', ${deliveries} FROM users;
    INSERT INTO campaigns (client, name, message, status, queued_count, reserved, created_at, updated_at, send_at,
        sent_parts, required_fields)
      SELECT id, 'b', ${quoted(message)}, 'processing', ${deliveries}, ${deliveries}, 0, 0, 0,
        ${parts ? quoted(JSON.stringify(parts)) : "NULL"},
        ${required.length > 0 ? quoted(JSON.stringify(required)) : "NULL"} FROM users ORDER BY id;
    INSERT INTO quota_ledger (client, at, kind, delta, campaign)
      SELECT client, 0, 'reserve', -${deliveries}, id FROM campaigns;
    INSERT INTO deliveries (campaign, phone, fields, updated_at)
      SELECT c.id, 972540000000 + n.value, ${
    values ? quoted(JSON.stringify(values)) : "NULL"
  }, 0 FROM campaigns c CROSS JOIN ${upTo(deliveries)} n;
    INSERT INTO system (key, value) VALUES ('generation', 'bench') ON CONFLICT (key) DO NOTHING;
    INSERT INTO sites (name, public_key, epoch, hello_epoch, created_at, answered_generation,
        told_generation, item_texts)
      SELECT 'b' || value, 'k' || value, ${EPOCH}, ${EPOCH}, 0, (SELECT value FROM system WHERE key = 'generation'),
        (SELECT value FROM system WHERE key = 'generation'), 1
      FROM ${upTo(sites)};
    INSERT INTO settings (key, value, updated_at) VALUES ('maxMessagesPerDay', '100000000', 0),
      ('rateLimit', '0', 0);
    INSERT INTO devices (site, key, address, state, first_seen_at, updated_at)
      SELECT s.id, 'D' || n.value, '', 'online', 0, 0 FROM sites s CROSS JOIN ${upTo(phones)} n ORDER BY s.id;
    INSERT INTO accounts (device, site, key, state, trusted, first_seen_at, updated_at)
      SELECT id, site, key || '/com.whatsapp/0', 'ok', 1, 0, 0 FROM devices;
  `;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function upTo(count: number): string {
  return `(WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${count})
    SELECT value FROM n)`;
}
