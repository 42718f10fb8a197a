import type { EdgeContext } from "../context.ts";
import { importContacts } from "../contacts/import_contacts.ts";
import { statement } from "../queue/statement.ts";
import type { CampaignRow } from "./read.ts";

/** Whom the copy is for; `notSent` = failed, cancelled and skipped, and never what is unknown. */
export const COPIED_CONTACTS = ["none", "all", "notSent"] as const;
export type CopiedContacts = (typeof COPIED_CONTACTS)[number];

const PAGE = 10_000;

const COPY = `INSERT INTO campaigns (client, name, message, image, kind, created_at, updated_at)
  SELECT client, name, message, image, kind, :now, :now FROM campaigns WHERE id = :campaign RETURNING id`;
const TELL = `INSERT INTO events (at, type, client, campaign, data)
  SELECT :now, 'campaign_changed', client, id, json_object('campaignId', id) FROM campaigns
  WHERE id = last_insert_rowid()`;
// A row still queued in a cancelled campaign is cancelled; its turn to be written so has only not come.
const PHONES = `SELECT phone FROM deliveries WHERE campaign = :campaign AND phone > :after
    AND (:all OR state IN ('failed', 'cancelled', 'skipped') OR (state = 'queued' AND :isCancelled))
  ORDER BY phone LIMIT ${PAGE}`;

/**
 * Makes a draft with the words and the image of `campaign`, and adds the contacts by the road every upload takes:
 * who asked to be left alone since then stays out, and advertising keeps to the consents declared before. Answers the
 * copy's id.
 */
export async function duplicateCampaign(
  ctx: EdgeContext,
  campaign: CampaignRow,
  contacts: CopiedContacts,
): Promise<number> {
  const args = { campaign: campaign.id, now: ctx.now() };
  const [copied] = await ctx.db.batch([statement(COPY, args), statement(TELL, args)], "write");
  ctx.wakeOutbox();
  const id = Number(copied.rows[0].id);
  const numbers = contacts === "none" ? "" : await readNumbers(ctx, campaign, contacts === "all");
  if (numbers !== "") {
    await importContacts(ctx, { id, client: campaign.client, kind: campaign.kind }, {
      fileName: "",
      numbers,
    });
  }
  return id;
}

/** One a line, in the order of the numbers. */
async function readNumbers(ctx: EdgeContext, campaign: CampaignRow, all: boolean): Promise<string> {
  const args = { campaign: campaign.id, all, isCancelled: campaign.status === "cancelled" };
  const lines: string[] = [];
  let after = 0;
  for (;;) {
    const { rows } = await ctx.db.execute(statement(PHONES, { ...args, after }));
    for (const { phone } of rows) lines.push(`+${phone}`);
    if (rows.length < PAGE) return lines.join("\n");
    after = Number(rows[rows.length - 1].phone);
  }
}
