/** The advertiser: every client fills in the details once, and every marketing message repeats them. */
import type { Client, InStatement, Row, Transaction } from "@libsql/client/web";
import type { Advertiser } from "shared/marketing.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import type { SessionUser } from "../http/router.ts";
import { statement } from "../db/statement.ts";

/** The caller adds the condition; toAdvertiser() reads the row. */
export const ADVERTISER = "SELECT name, address, contact_phone, contact_email FROM advertisers";
const READ = `${ADVERTISER} WHERE client = ?`;
const SAVE = `INSERT INTO advertisers (client, name, address, contact_phone, contact_email, updated_at)
  VALUES (:client, :name, :address, :phone, :email, :now)
  ON CONFLICT (client) DO UPDATE SET name = excluded.name, address = excluded.address,
    contact_phone = excluded.contact_phone, contact_email = excluded.contact_email, updated_at = excluded.updated_at`;
// Unsent campaigns now have another text, and may lose their notice.
const INSERT_EVENT = `INSERT INTO events (at, type, client, campaign, data)
  SELECT :now, 'campaign_changed', client, id, json_object('campaignId', id) FROM campaigns
  WHERE client = :client AND kind = 'marketing' AND status IN ('draft', 'ready') AND test_of IS NULL`;

/** Returns the client's details, or null before the client has filled them in. */
export async function readAdvertiser(
  db: Pick<Client | Transaction, "execute">,
  client: number,
): Promise<Advertiser | null> {
  const { rows: [row] } = await db.execute(advertiserOf(client));
  return toAdvertiser(row);
}

/** Returns the statement of readAdvertiser(), for callers that batch it with others. */
export function advertiserOf(client: number): InStatement {
  return { sql: READ, args: [client] };
}

/** Reads the row of that statement; null = no details yet. */
export function toAdvertiser(row: Row | undefined): Advertiser | null {
  return row === undefined ? null : {
    name: String(row.name),
    address: String(row.address),
    phone: String(row.contact_phone),
    email: String(row.contact_email),
  };
}

/** Saves the advertiser's details of `user`. Campaigns that were already sent keep their text. */
export async function saveAdvertiser(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id">,
  advertiser: Advertiser,
): Promise<void> {
  const args = { ...advertiser, client: user.id, now: ctx.now() };
  const { name } = advertiser;
  await ctx.db.batch([
    statement(SAVE, args),
    noteAudit(args.now, { kind: "advertiser_changed", actor: user.id, user: user.id, data: { name } }),
    statement(INSERT_EVENT, args),
  ], "write");
  ctx.wakeOutbox();
}
