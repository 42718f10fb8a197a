/** A small fleet on a real database, with a clock that only the test moves. */
import type { Outcome, ReportItem, Trial } from "shared/agent_protocol.ts";
import { AGENT_FEATURES } from "shared/features.ts";
import { connectSite } from "../sites/connect.ts";
import { createSite } from "../sites/create_site.ts";
import { enrollSite } from "../sites/enroll.ts";
import type { EdgeContext } from "../context.ts";
import { recordInventory } from "../devices/record_inventory.ts";
import type { SiteConnection } from "../queue/fence.ts";
import { handleHello, type HelloAckFrame, type HelloFrame } from "../sites/hello.ts";
import type { LeaseFrame } from "../queue/lease.ts";
import { testContext } from "./test_context.ts";
import { openTestDatabase, type TestDatabase } from "./test_db.ts";

/** A Saturday morning in Jerusalem, far from midnight. */
export const START = Date.UTC(2026, 10, 21, 8, 0, 0);

export interface TestSite extends SiteConnection {
  /** Hardware serials. */
  devices: string[];
}

/** A client with its owner alone, whose id is the client's. */
export interface TestClient {
  id: number;
  client: number;
  person: number;
}

export interface Fleet extends AsyncDisposable {
  database: TestDatabase;
  ctx: EdgeContext;
  /** Moves the clock forward. */
  pass(ms: number): void;
  addClient(quota: number): Promise<TestClient>;
  /** Adds a ready campaign; returns `phones` in list order, +9725…, the same for every campaign. */
  addCampaign(client: { id: number }, contacts: number): Promise<{ id: number; phones: string[] }>;
  /** Adds an enrolled site whose hello was handled, with its phones online. */
  addSite(devices?: number, accountsPerDevice?: number): Promise<TestSite>;
  /** Reports the site's phones, all online. Phones without a trial are as an older agent reports them. */
  show(site: TestSite, accountsPerDevice?: number, trials?: readonly (Trial | undefined)[]): Promise<void>;
  /** Connects again; hello lists `open`. */
  reconnect(site: TestSite, hello?: Partial<HelloFrame>): Promise<HelloAckFrame>;
  /** Returns the first row of a query. */
  one(sql: string): Promise<Record<string, unknown>>;
  /** Returns every row's state, in list order. */
  states(campaign: number): Promise<string[]>;
}

/** Opens a database that holds only its generation; `remote` = through the Hrana stand-in. */
export async function openFleet(options: { remote?: boolean; under?: string } = {}): Promise<Fleet> {
  const database = await openTestDatabase(options);
  let at = START;
  const ctx = testContext(database.db, { now: () => at });
  return fleetOn({ database, ctx, pass: (ms) => void (at += ms) });
}

/** Returns the same over an existing database and clock; the database already has `sites` of a fleet. */
export function fleetOn(
  { database, ctx, pass }: Pick<Fleet, "database" | "ctx" | "pass">,
  sites = 0,
): Fleet {
  const { db } = ctx;

  async function addClient(quota: number) {
    const { rows: [row] } = await db.execute({
      sql: `INSERT INTO users (username, username_key, password_hash, role, created_at)
        SELECT 'client' || (count(*) + 1), 'client' || (count(*) + 1), '', 'client', ? FROM users WHERE true
        RETURNING id`,
      args: [ctx.now()],
    });
    const id = Number(row.id);
    await db.execute({
      sql: "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (?, ?, 'grant', ?)",
      args: [id, ctx.now(), quota],
    });
    return { id, client: id, person: id };
  }

  async function addCampaign(client: { id: number }, contacts: number) {
    const { rows: [row] } = await db.execute({
      sql: `INSERT INTO campaigns (client, name, message, status, queued_count, created_at, updated_at)
        VALUES (?, 'מבצע', 'שלום', 'ready', ?, ?, ?) RETURNING id`,
      args: [client.id, contacts, ctx.now(), ctx.now()],
    });
    const numbers = Array.from({ length: contacts }, (_, index) => 972540000001 + index);
    await db.execute({
      sql: `INSERT INTO deliveries (campaign, phone, updated_at) SELECT ?, value, ? FROM json_each(?)`,
      args: [Number(row.id), ctx.now(), JSON.stringify(numbers)],
    });
    return { id: Number(row.id), phones: numbers.map((number) => `+${number}`) };
  }

  async function addSite(devices = 1, accountsPerDevice = 1): Promise<TestSite> {
    const { siteId, joinToken } = await createSite(ctx, `אתר ${++sites}`);
    const { publicKey } = await makeKey();
    await enrollSite(ctx, { joinToken, publicKey });
    const names = Array.from({ length: devices }, (_, index) => `S${siteId}D${index + 1}`);
    const site: TestSite = { site: siteId, epoch: 0, devices: names };
    await reconnect(site);
    await show(site, accountsPerDevice);
    return site;
  }

  async function show(site: TestSite, accountsPerDevice = 1, trials: readonly (Trial | undefined)[] = []) {
    await recordInventory(ctx, site, {
      devices: site.devices.map((device, index) => ({
        device,
        address: `usb:${device}`,
        model: "Pixel",
        androidVersion: "14",
        state: "online",
        batteryPercent: 80,
        proofAt: ctx.now(),
        addresses: [],
        stateDetail: null,
        trial: trials[index],
      })),
      accounts: site.devices.flatMap((device) =>
        Array.from({ length: accountsPerDevice }, (_, user) => ({
          account: `${device}/com.whatsapp/${user}`,
          state: "ok" as const,
          appVersion: "2.26.1",
          firstInstalledAt: 0,
          userKind: null,
          captions: null,
          ownNumber: null,
        }))
      ),
    });
    // Otherwise forty messages would end a site's day in every test.
    await db.execute({ sql: "UPDATE accounts SET trusted = 1 WHERE site = ?", args: [site.site] });
  }

  async function reconnect(site: TestSite, hello: Partial<HelloFrame> = {}) {
    const welcome = await connectSite(ctx, site.site);
    if (welcome === null) throw new Error(`Cannot connect site ${site.site}: it is revoked`);
    site.epoch = welcome.epoch;
    return await handleHello(ctx, site, {
      type: "hello",
      epoch: site.epoch,
      journalId: String(site.site).padStart(32, "0"),
      counterAtOpen: null,
      journalCounter: 1_000_000,
      open: [],
      agentVersion: "test",
      features: [...AGENT_FEATURES],
      ...hello,
    });
  }

  async function one(sql: string) {
    const { rows: [row] } = await db.execute(sql);
    return { ...row };
  }

  async function states(campaign: number) {
    const { rows } = await db.execute({
      sql: "SELECT state FROM deliveries WHERE campaign = ? ORDER BY id",
      args: [campaign],
    });
    return rows.map((row) => String(row.state));
  }

  return {
    database,
    ctx,
    pass,
    addClient,
    addCampaign,
    addSite,
    show,
    reconnect,
    one,
    states,
    [Symbol.asyncDispose]: () => database.close(),
  };
}

/** Returns a site's report about every item of a lease. */
export function outcomesOf(
  lease: LeaseFrame,
  outcome: Outcome,
  more: Partial<ReportItem> = {},
): ReportItem[] {
  return lease.items.map(({ phone, attempt, account }) => ({
    token: lease.token,
    campaign: lease.campaign,
    phone,
    attempt,
    outcome,
    temporary: false,
    reason: outcome === "sent" ? null : outcome === "void" ? "device_offline" : "not_on_app",
    account,
    tappedAt: null,
    ...more,
  }));
}

/** Returns an Ed25519 key pair, and its public part in the form that is sent. */
export async function makeKey(): Promise<{ publicKey: string; privateKey: CryptoKey }> {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]) as CryptoKeyPair;
  const { x = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return { publicKey: x, privateKey: pair.privateKey };
}
