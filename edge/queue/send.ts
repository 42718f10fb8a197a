import type { InStatement, ResultSet, Row } from "@libsql/client/web";
import type { CampaignKind } from "shared/campaign.ts";
import type { SendResult } from "shared/http_api.ts";
import type { Advertiser } from "shared/marketing.ts";
import { requiredFieldsOf } from "shared/personal_text.ts";
import { countOf } from "../text/hebrew_count.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { readBatch, rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { advertiserOf, toAdvertiser } from "../lawful/advertiser.ts";
import { composeForSending, type WordsToSend } from "../lawful/sent_text.ts";
import { checkRows } from "../personal/check_rows.ts";
import { refuseFaults, refuseRows } from "../personal/refuse_send.ts";
import { FURTHER_TEXTS } from "../personal/variants.ts";
import { randomHex } from "../keys/random_hex.ts";
import { IS_ENABLED } from "./own_campaign.ts";
import { condition, type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { campaigns, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";

/**
 * SQL: the units that a campaign takes from the quota. Sent and unknown are 0 unless a restored database learnt of
 * some.
 */
export const NEEDED = "queued_count + sent_count + unknown_count";
/** The last row of the pilot wave, in list order, which is the order of leasing. */
const PILOT_LAST = `(SELECT id FROM deliveries WHERE campaign = :campaign AND state = 'queued'
    ORDER BY not_before, id LIMIT 1 OFFSET (SELECT pilot_count - 1 FROM campaigns WHERE id = :campaign))`;

const ADVERTISER_AT = "(SELECT updated_at FROM advertisers a WHERE a.client = campaigns.client)";
/** Changes with every import that adds contacts; rows that are taken out only lower `queued_count`. */
const LISTS =
  `(SELECT json_array(max(id), coalesce(sum(added), 0)) FROM imports WHERE campaign = campaigns.id)`;
const SAID =
  `client, kind, message, ${FURTHER_TEXTS} AS further, pilot_count IS NOT NULL AS "hasPilot", iif(kind = 'marketing', ${ADVERTISER_AT}, NULL) AS advertiser_at,
  test_of IS NOT NULL AS is_test, ${LISTS} AS lists, queued_count, status = 'ready' AND running_import IS NULL AS is_ready`;
const WORDS = `SELECT ${SAID} FROM campaigns WHERE id = :campaign AND client = :user`;
/** Attempts to compose the text again if it changes between composing and sending. */
const MAX_TRIES = 5;

// No row = one of these, as LOOK says: not the client's, not ready, an import runs, no contacts, too little quota. Or
// the text has changed since it was composed. Assigning a counter fires the trigger that ends the campaign when
// nothing is left to queue.
const TAKE =
  `UPDATE campaigns SET status = 'processing', send_at = :now, reserved = ${NEEDED}, updated_at = :now, pilot_until = NULL,
    starts_at = :now + :delayMs, start_told_at = NULL, sent_text = :sentText, sent_parts = :sentParts, required_fields = :requiredFields, sent_count = sent_count,
    variant_count = :variantCount, variant_seed = :variantSeed, winner = NULL,
    pilot_last = CASE WHEN pilot_count < queued_count THEN ${PILOT_LAST} END
  WHERE id = :campaign AND client = :user AND status = 'ready' AND running_import IS NULL AND ${NEEDED} > 0
    AND (:actor IS NULL OR ${IS_ENABLED})
    AND kind = :kind AND message = :message AND ${FURTHER_TEXTS} = :further
    AND (:variantCount IS NULL OR pilot_count IS NOT NULL) AND (kind <> 'marketing' OR ${ADVERTISER_AT} IS :advertiserAt)
    -- The values of all recipients were looked at before: nobody may have come since.
    AND (:sentParts IS NULL OR (:isReady AND ${LISTS} = :lists AND queued_count <= :queued))
    AND ${NEEDED} <= (SELECT message_quota FROM users WHERE id = :user)`;
const RESERVE = `INSERT INTO quota_ledger (client, at, kind, delta, campaign, actor)
  SELECT client, :now, 'reserve', -reserved, id, :actor FROM campaigns
  WHERE id = :campaign AND ${STEP_BEFORE_CHANGED}`;
const FIX_TEXTS = `INSERT INTO sent_variants (campaign, no, text, parts, required_fields)
  SELECT :campaign, v.value ->> 'no', v.value ->> 'text', v.value ->> 'parts', v.value ->> 'required'
  FROM json_each(:texts) v WHERE ${STEP_BEFORE_CHANGED}`;
const FIGURES = "(SELECT json_object('kind', kind, 'messages', reserved) FROM campaigns c WHERE c.id = ?)";
const LOOK =
  `SELECT ${SAID}, ${IS_ENABLED} AS enabled, status, running_import, ${NEEDED} AS needed, message_quota
  FROM campaigns JOIN users ON users.id = campaigns.client WHERE campaigns.id = :campaign AND client = :user`;

const LOOK_FIELDS = {
  enabled: condition,
  status: campaigns.status,
  runningImport: campaigns.runningImport,
  needed: wholeNumber,
  messageQuota: users.messageQuota,
};

export interface SendOptions {
  /** @default the client; null = nobody, after a restore */
  actor?: number | null;
  /** How long nothing is leased, and the send can be taken back (take_back.ts). @default 0, at once */
  delaySeconds?: number | undefined;
  /** True = recipients who lack a value that the message needs are left out. @default {false} */
  leaveOutEmpty?: boolean | undefined;
  before?: BeforeSend;
}

/** A query that runs with sendCampaign()'s own read, and an action on its result before the send. */
export interface BeforeSend {
  look: InStatement;
  /** Throws the error that refuses the send. */
  act(answer: ResultSet): Promise<void>;
}

/**
 * Sends a ready campaign in one transaction: takes one unit per contact from the client's quota, freezes the text,
 * and makes the contacts leasable, with `delaySeconds` after these. The size of the transaction does not depend on
 * their number: what it says to each was looked at before. If a restored database knows that all contacts were sent to, the campaign ends at once.
 *
 * @throws HttpError not_found (also another client's), campaign_not_ready, import_running, quota_short;
 *   advertiser_missing, and invalid_input when a marketing message with the legal additions is too long; of a personal
 *   message placeholder_faulty, field_unknown, values_missing, text_too_long
 */
export async function sendCampaign(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id">,
  campaignId: number,
  { actor = user.id, delaySeconds = 0, leaveOutEmpty = false, before }: SendOptions = {},
): Promise<SendResult> {
  for (let tries = 1;; tries++) {
    const { words, advertiser, looked } = await readWords(ctx, user, campaignId, before?.look);
    if (looked !== undefined) await before!.act(looked);
    const texts = textsOf(ctx, words, advertiser);
    for (const text of texts) await checkPersonal(ctx, campaignId, words, text, leaveOutEmpty);
    const [first] = texts;
    const delayMs = delaySeconds === 0 ? null : delaySeconds * 1000;
    const sent = await take(ctx, {
      campaign: campaignId,
      user: user.id,
      actor,
      delayMs,
      sentText: first!.text,
      sentParts: first!.parts && JSON.stringify(first!.parts),
      requiredFields: requiredJson(first!),
      texts: texts.length === 1 ? null : JSON.stringify(texts.map(fixedText)),
      variantCount: texts.length === 1 ? null : texts.length,
      variantSeed: texts.length === 1 ? null : Number.parseInt(randomHex(ctx, 4), 16) >>> 1,
      ...words,
    });
    if (sent !== null) return sent;
    if (tries === MAX_TRIES) throw new HttpError("campaign_not_ready");
  }
}

interface TextToSend extends WordsToSend {
  /** As the client wrote it. */
  message: string;
}

/**
 * Returns the campaign's texts, its message first. Of several each has parts, because it travels with its item.
 *
 * @throws {HttpError} as composeForSending(); `pilot_needed` when several have no wave to be tried in
 */
function textsOf(ctx: EdgeContext, words: Words, advertiser: Advertiser | null): TextToSend[] {
  const messages = [words.message, ...JSON.parse(words.further) as string[]];
  const texts = messages.map((message) => ({
    message,
    ...composeForSending(ctx, { kind: words.kind, message }, advertiser),
  }));
  if (texts.length === 1) return texts;
  if (words.isReady && !words.hasPilot) throw new HttpError("pilot_needed");
  return texts.map((text) => ({ ...text, parts: text.parts ?? [text.text ?? text.message] }));
}

function requiredJson({ parts }: TextToSend): string | null {
  const required = requiredFieldsOf(parts ?? []);
  return required.length > 0 ? JSON.stringify(required) : null;
}

function fixedText({ message, text, parts, ...rest }: TextToSend, index: number) {
  return {
    no: index + 1,
    text: text ?? message,
    parts: JSON.stringify(parts),
    required: requiredJson({ message, text, parts, ...rest }),
  };
}

/** @throws {HttpError} see sendCampaign(): what a recipient could not get as it is meant */
async function checkPersonal(
  ctx: EdgeContext,
  campaign: number,
  { isReady, isTest }: Words,
  { parts, faults }: WordsToSend,
  leaveOutEmpty: boolean,
): Promise<void> {
  // The send itself refuses a campaign that is not ready or has no contacts, and says why.
  if (parts === null || !isReady) return;
  refuseFaults(faults);
  const checked = await checkRows(ctx, campaign, parts);
  if (checked.rows > 0) refuseRows(parts, checked, { leaveOutEmpty, isTest });
}

type Words = {
  client: number;
  kind: CampaignKind;
  message: string;
  /** Time of the advertiser's last change; only for marketing, because its text names the advertiser. */
  advertiserAt: number | null;
  isTest: boolean;
  /** The further texts as a JSON array. */
  further: string;
  hasPilot: boolean;
  /** Which contacts it has, roughly: see LISTS. */
  lists: string;
  queued: number;
  isReady: boolean;
};

async function readWords(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id">,
  campaign: number,
  look?: InStatement,
): Promise<{ words: Words; advertiser: Advertiser | null; looked: ResultSet | undefined }> {
  const { words: { rows: [row] }, advertiser, looked } = await readBatch(ctx.db, {
    words: statement(WORDS, { campaign, user: user.id }),
    advertiser: advertiserOf(user.id),
    looked: look,
  });
  if (row === undefined) throw new HttpError("not_found");
  return { words: wordsOf(row), advertiser: toAdvertiser(advertiser), looked };
}

function wordsOf({ client, kind, message, advertiser_at: at, ...row }: Row): Words {
  return {
    client: Number(client),
    kind: kind as CampaignKind,
    message: String(message),
    advertiserAt: at === null ? null : Number(at),
    isTest: row.is_test === 1,
    further: String(row.further),
    hasPilot: row.hasPilot === 1,
    lists: String(row.lists),
    queued: Number(row.queued_count),
    isReady: row.is_ready === 1,
  };
}

/** Returns null when its text has changed since it was composed. @throws HttpError as sendCampaign() */
async function take(
  ctx: EdgeContext,
  words: Words & {
    campaign: number;
    user: number;
    actor: number | null;
    /** Null = at once. */
    delayMs: number | null;
    sentText: string | null;
    sentParts: string | null;
    requiredFields: string | null;
    /** Null = one text. */
    texts: string | null;
    variantCount: number | null;
    variantSeed: number | null;
  },
): Promise<SendResult | null> {
  const { campaign: campaignId, actor } = words;
  const args = { ...words, now: ctx.now() };
  const dataSql = { sql: FIGURES, args: [campaignId] };
  const note = { kind: "campaign_sent" as const, actor, campaign: campaignId, dataSql };
  const { taken, look } = await writeBatch(ctx.db, {
    taken: statement(TAKE, args),
    reserved: rightAfter("taken", statement(RESERVE, args)),
    textsFixed: words.texts === null ? undefined : rightAfter("reserved", statement(FIX_TEXTS, args)),
    audited: rightAfter(
      words.texts === null ? "reserved" : "textsFixed",
      noteAudit(args.now, note, STEP_BEFORE_CHANGED),
    ),
    // start_sends.ts tells the sites of a send with a wait.
    woken: words.delayMs === null
      ? rightAfter("audited", statement(WORK_WAITING_IF_CHANGED, args))
      : undefined,
    look: statement(LOOK, args),
  });
  const [present] = rowsAs(look, LOOK_FIELDS);
  if (taken.rowsAffected === 0) {
    if (present !== undefined && haveChanged(words, wordsOf(look.rows[0]!), words.sentParts !== null)) {
      return null;
    }
    throw refusal(present);
  }
  ctx.wakeOutbox();
  return { remainingQuota: present!.messageQuota };
}

function haveChanged(then: Words, now: Words, isPersonal: boolean): boolean {
  return then.kind !== now.kind || then.message !== now.message || then.further !== now.further ||
    then.advertiserAt !== now.advertiserAt ||
    (isPersonal && (then.isReady !== now.isReady || then.lists !== now.lists || then.queued < now.queued));
}

function refusal(campaign: RowAs<typeof LOOK_FIELDS> | undefined): HttpError {
  if (campaign === undefined) return new HttpError("not_found");
  if (!campaign.enabled) return new HttpError("not_logged_in");
  if (campaign.runningImport !== null) return new HttpError("import_running");
  if (campaign.status !== "ready") return new HttpError("campaign_not_ready");
  const { needed, messageQuota: left } = campaign;
  if (needed === 0) return new HttpError("campaign_not_ready", { text: "אין בקמפיין נמענים לשליחה." });
  const missing = needed - left;
  const text = `${missing === 1 ? "חסרה" : "חסרות"} ${
    countOf(missing, "message")
  } במכסה: דרושות ${needed}, זמינות ${left}. נא לפנות למנהל המערכת לטעינת הודעות.`;
  return new HttpError("quota_short", { text });
}
