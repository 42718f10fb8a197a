/** The advertiser: every client fills in the details once, and every marketing message repeats them. */
import type { Client, InStatement, ResultSet, Transaction } from "@libsql/client/web";
import type { Advertiser } from "shared/marketing.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import type { Caller } from "../http/router.ts";
import { query, rowsAs, toStatement } from "../db/query.ts";
import { advertisers } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** The caller adds the condition; toAdvertiser() reads the result. */
export const ADVERTISER = "SELECT name, address, contact_phone, contact_email, removal_link FROM advertisers";
const READ = `${ADVERTISER} WHERE client = ?`;
// Unsent campaigns now have another text, and may lose their notice.
const INSERT_EVENT = `INSERT INTO events (at, type, client, campaign, data)
  SELECT :now, 'campaign_changed', client, id, json_object('campaignId', id) FROM campaigns
  WHERE client = :client AND kind = 'marketing' AND status IN ('draft', 'ready') AND test_of IS NULL`;

/** Returns the client's details, or null before the client has filled them in. */
export async function readAdvertiser(
  db: Pick<Client | Transaction, "execute">,
  client: number,
): Promise<Advertiser | null> {
  return toAdvertiser(await db.execute(advertiserOf(client)));
}

/** Returns the statement of readAdvertiser(), for callers that batch it with others. */
export function advertiserOf(client: number): InStatement {
  return { sql: READ, args: [client] };
}

/** Reads the result of that statement; null = no details yet. */
export function toAdvertiser(found: ResultSet): Advertiser | null {
  const [advertiser] = rowsAs(found, {
    name: advertisers.name,
    address: advertisers.address,
    phone: advertisers.contactPhone,
    email: advertisers.contactEmail,
    removalLink: advertisers.removalLink,
  });
  return advertiser ?? null;
}

/** Saves the advertiser's details of the client. Campaigns that were already sent keep their text. */
export async function saveAdvertiser(
  ctx: EdgeContext,
  { client, person }: Pick<Caller, "client" | "person">,
  advertiser: Advertiser,
): Promise<void> {
  const { name, address, phone: contactPhone, email: contactEmail, removalLink } = advertiser;
  const now = ctx.now();
  const details = { name, address, contactPhone, contactEmail, removalLink, updatedAt: now };
  await ctx.db.batch([
    toStatement(
      query.insert(advertisers).values({ client, ...details })
        .onConflictDoUpdate({ target: advertisers.client, set: details }),
    ),
    noteAudit(now, { kind: "advertiser_changed", actor: person, user: client, data: { name } }),
    statement(INSERT_EVENT, { client, now }),
  ], "write");
  ctx.wakeOutbox();
}
