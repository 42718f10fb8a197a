/** Several texts of a campaign: written before the send, compared after it. */
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import { TEXT_NAMES } from "shared/text_names.ts";
import { type CampaignTexts, proposeText } from "shared/variants_api.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { type CampaignRow, sentVariants, variants } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readBatch, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { checkWords } from "../lawful/sent_text.ts";

const IS_EDITABLE = `EXISTS (SELECT 1 FROM campaigns WHERE id = :campaign AND client = :client
  AND status IN ('draft', 'ready'))`;
const TOUCH = `UPDATE campaigns SET updated_at = :now WHERE id = :campaign AND client = :client
  AND status IN ('draft', 'ready')`;
const DROP = `DELETE FROM variants WHERE campaign = :campaign AND ${IS_EDITABLE}`;
const ADD = `INSERT INTO variants (campaign, no, message)
  SELECT :campaign, m.key + 2, m.value FROM json_each(:messages) m WHERE ${IS_EDITABLE}`;
const EVENT = `INSERT INTO events (at, type, client, campaign, data)
  SELECT :now, 'campaign_changed', client, id, json_object('campaignId', id) FROM campaigns
  WHERE id = :campaign AND ${IS_EDITABLE}`;
const WRITTEN = "SELECT no, message FROM variants WHERE campaign = :campaign ORDER BY no";
const SENT = `SELECT no, text, sent, failed, unknown, removals FROM sent_variants
  WHERE campaign = :campaign ORDER BY no`;
const SENT_FIELDS = {
  no: sentVariants.no,
  text: sentVariants.text,
  sent: sentVariants.sent,
  failed: sentVariants.failed,
  unknown: sentVariants.unknown,
  removals: sentVariants.removals,
};

/** Returns the texts of a campaign, and after its send what came of each. */
export async function readTexts(
  ctx: EdgeContext,
  { id, status, pilotLast, variantCount, winner }: CampaignRow,
): Promise<CampaignTexts> {
  const { written, sent } = await readBatch(ctx.db, {
    written: statement(WRITTEN, { campaign: id }),
    sent: statement(SENT, { campaign: id }),
  });
  const figures = rowsAs(sent, SENT_FIELDS);
  return {
    messages: rowsAs(written, { no: variants.no, message: variants.message }).map(({ message }) => message),
    sent: figures,
    ...proposeText(figures),
    winner,
    canChoose: variantCount !== null && winner === null && pilotLast !== null &&
      ["processing", "active", "paused"].includes(status),
  };
}

/**
 * Replaces the texts beside the message of a draft or ready campaign.
 *
 * @throws {HttpError} `campaign_not_editable`; `invalid_input` for two equal texts, and an advertisement that is too long
 */
export async function writeTexts(
  ctx: EdgeContext,
  { id, client, kind, message, status }: CampaignRow,
  messages: readonly string[],
): Promise<void> {
  if (!EDITABLE_STATUSES.includes(status)) throw new HttpError("campaign_not_editable");
  const all = [message, ...messages];
  const twice = all.findIndex((text, index) => all.indexOf(text) !== index);
  if (twice >= 0) {
    throw new HttpError("invalid_input", {
      text: `נוסח ${TEXT_NAMES[twice]}׳ זהה לנוסח קודם. כדי להשוות צריך נוסחים שונים.`,
    });
  }
  for (const text of messages) await checkWords(ctx, { client, kind, message: text });
  const args = { campaign: id, client, messages: JSON.stringify(messages), now: ctx.now() };
  const { touched } = await writeBatch(ctx.db, {
    dropped: statement(DROP, args),
    added: statement(ADD, args),
    touched: statement(TOUCH, args),
    event: statement(EVENT, args),
  });
  if (touched.rowsAffected === 0) throw new HttpError("campaign_not_editable");
  ctx.wakeOutbox();
}
