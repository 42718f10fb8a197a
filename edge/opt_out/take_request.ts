/** Stores one request of a recipient for removal, however it came: a reply of one word, or a press of the link. */
import type { Transaction } from "@libsql/client/web";
import { campaignChangedBySite } from "../events/changed_event.ts";
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { optOutStatements } from "./opt_out.ts";

/** The site of a message that no site has reported to this database. */
export const NO_SITE = 0;

/** What a recipient asked, about one campaign. */
export interface RecipientRequest {
  /** The same for every report of the same request. */
  id: string;
  campaign: number;
  /** 0 = unknown after a restore. */
  client: number;
  /** Digits. */
  phone: number;
  /** The site that wrote to the number, or NO_SITE. */
  site: number;
  /** The beginning of the words, without numbers; "" = none. */
  excerpt: string;
  /** When they asked. */
  at: number;
}

// No row = reported before, removed before, or undone. Only a newer reply opens a decided one again.
const TAKE = `INSERT INTO replies (campaign, client, phone, site, reply, state, excerpt, at, received_at)
  VALUES (:campaign, :client, :phone, :site, :id, :state, :excerpt, :at, :now)
  ON CONFLICT (campaign, phone) DO UPDATE SET site = :site, reply = :id, state = :state, excerpt = :excerpt,
    at = max(replies.at, :at), received_at = :now, decided_at = NULL, decided_by = NULL
  WHERE replies.reply <> :id AND replies.state <> 'removed' AND :at > coalesce(replies.undone_until, -1)
    AND (:state = 'removed' OR :at > replies.at)
  RETURNING id`;
// A repeated request removes once; undoing it covers both.
const ASKED_AGAIN = `UPDATE replies SET at = :at
  WHERE campaign = :campaign AND phone = :phone AND state = 'removed' AND at < :at`;

/**
 * Removes the recipient from the client's list, once for each (campaign, number). Returns false when that was done
 * before.
 */
export async function takeRequest(
  ctx: EdgeContext,
  tx: Transaction,
  now: number,
  { by, ...request }: RecipientRequest & { by: "keyword" | "link" },
): Promise<boolean> {
  if (!await take(tx, now, request, "removed")) return false;
  await tx.batch(optOutStatements(ctx, now, { ...request, by, actor: null }));
  return true;
}

/** Stores a reply that a person must decide. */
export async function takeUnclear(tx: Transaction, now: number, request: RecipientRequest): Promise<void> {
  if (await take(tx, now, request, "waiting")) {
    await tx.execute(campaignChangedBySite(now, { ...request, id: request.campaign }));
  }
}

/** Returns whether the request is a new one. */
async function take(
  tx: Transaction,
  now: number,
  request: RecipientRequest,
  state: "removed" | "waiting",
): Promise<boolean> {
  const args = { ...request, state, now };
  const { rows: [taken] } = await tx.execute(statement(TAKE, args));
  if (taken === undefined) await tx.execute(statement(ASKED_AGAIN, args));
  return taken !== undefined;
}
