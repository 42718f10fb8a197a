/** Makes a database with a thousand sites with keys, clients with campaigns, and sessions of browsers. */
import { makeKey as makeApiKey } from "../../edge/api_keys/make_key.ts";
import { readGeneration } from "../../edge/sites/generation.ts";
import { connectDatabase } from "../../edge/db/connect.ts";
import { migrateDatabase, readSchema } from "../../edge/db/migrate.ts";
import { fleetOn, makeKey } from "../../edge/testing/fleet.ts";
import { testContext } from "../../edge/testing/test_context.ts";
import { openSessionOf } from "../open_session.ts";

const BROWSER = { userAgent: "bench", from: "127.0.0.1" };

export interface StormSite {
  id: number;
  /** The private key as JWK. */
  key: JsonWebKey;
}

export interface StormBrowser {
  /** The session's cookie value. */
  session: string;
}

export interface StormWorld {
  sites: StormSite[];
  browsers: StormBrowser[];
  /** Ready to be sent, each with a session and an API key of its owner. */
  campaigns: { id: number; session: string; key: string }[];
}

export interface StormSize {
  sites: number;
  clients: number;
  browsersPerClient: number;
  /** Number of administrators' browsers. */
  adminBrowsers: number;
  contactsPerCampaign: number;
  /** Number of contacts of the first client's campaign, if different. */
  contactsOfFirst?: number;
}

/** Makes the database at `path`, and returns the keys and sessions of its sites and browsers. */
export async function makeStormWorld(path: string, size: StormSize): Promise<StormWorld> {
  const db = await connectDatabase(`file:${path}`);
  await migrateDatabase(db, await readSchema());
  const ctx = testContext(db);
  const database = { db, path, url: `file:${path}`, close, [Symbol.asyncDispose]: close };
  await readGeneration(ctx);
  const fleet = fleetOn({ database, ctx, pass() {} });
  const keys = await Promise.all(Array.from({ length: size.sites }, makeKey));
  const { rows } = await db.execute({
    sql: `INSERT INTO sites (name, public_key, created_at, answered_generation)
      SELECT 'site ' || key, value, ?, (SELECT value FROM system WHERE key = 'generation') FROM json_each(?)
      WHERE true RETURNING id, public_key`,
    args: [Date.now(), JSON.stringify(keys.map(({ publicKey }) => publicKey))],
  });
  const idOf = new Map(rows.map((row) => [String(row.public_key), Number(row.id)]));
  const sites = await Promise.all(keys.map(async ({ publicKey, privateKey }) => ({
    id: idOf.get(publicKey)!,
    key: await crypto.subtle.exportKey("jwk", privateKey),
  })));

  const browsers: StormBrowser[] = [];
  const campaigns: StormWorld["campaigns"] = [];
  for (let index = 0; index < size.clients; index++) {
    const contacts = index === 0
      ? size.contactsOfFirst ?? size.contactsPerCampaign
      : size.contactsPerCampaign;
    const client = await fleet.addClient(contacts);
    const { id } = await fleet.addCampaign(client, contacts);
    for (let tab = 0; tab < size.browsersPerClient; tab++) {
      browsers.push({ session: await openSessionOf(ctx, client.id, BROWSER) });
    }
    const { secret: key } = await makeApiKey(ctx, { person: client.id, role: "client" }, {
      name: "bench",
      mode: "live",
      scopes: ["campaigns:read", "campaigns:send", "reports"],
      expiresAt: null,
      dailyLimit: null,
      addresses: [],
    });
    campaigns.push({ id, session: browsers.at(-1)!.session, key });
  }
  const admin = await fleet.addClient(0);
  await db.execute({ sql: "UPDATE users SET role = 'admin' WHERE id = ?", args: [admin.id] });
  for (let tab = 0; tab < size.adminBrowsers; tab++) {
    browsers.push({ session: await openSessionOf(ctx, admin.id, BROWSER) });
  }
  await close();
  return { sites, browsers, campaigns };

  function close(): Promise<void> {
    db.close();
    return Promise.resolve();
  }
}
