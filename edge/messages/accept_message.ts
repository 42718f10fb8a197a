/** Accepts one message by call: a row of a carrier, with its unit, its record and its call to the sites. */
import type { InValue } from "@libsql/client/web";
import type { Advertiser } from "shared/marketing.ts";
import {
  DEFAULT_LIFE_MS,
  IMAGE_KEPT_MS,
  MAX_SEND_AHEAD_MS,
  MAY_HAVE_MS,
  MOST_TESTS_A_DAY,
  MOST_TO_A_NUMBER,
  TEST_NUMBERS,
} from "shared/message.ts";
import type { Message, MessageRequest } from "shared/messages_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import { condition, orNull, rowsAs } from "../db/query.ts";
import { advertisers, messageImages, messages, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readBatch, rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { advertiserOf, toAdvertiser } from "../lawful/advertiser.ts";
import { parsePhone } from "../numbers/parse_phone.ts";
import { toWirePhone } from "../numbers/wire_phone.ts";
import { IS_ENABLED } from "../queue/own_campaign.ts";
import { tellSteps } from "../queue/tell_of_messages.ts";
import { localMidnight, msToLocalMidnight } from "../time/local_day.ts";
import { composeMessage, fieldsOfText, REQUIRED_FIELDS } from "./compose_message.ts";

/** What a carrier is called where its number in the ledger and in alerts has a name. */
const CARRIER_NAME = "הודעות ממערכות";
/** Attempts to compose the text again if the advertiser changes between composing and accepting. */
const MAX_TRIES = 5;

/** SQL conditions on the recipient and the client. */
const IS_REMOVED = `(EXISTS (SELECT 1 FROM suppressions WHERE phone = :phone AND client IN (0, :client))
  OR EXISTS (SELECT 1 FROM blocked_marks WHERE mark = :mark))`;
const LACKS_CONSENT = `(:kind = 'marketing'
  AND NOT EXISTS (SELECT 1 FROM consents WHERE client = :client AND phone = :phone))`;
const ADVERTISER_AT = "(SELECT updated_at FROM advertisers WHERE client = :client)";
const WORDS_CHANGED = `(:kind = 'marketing' AND ${ADVERTISER_AT} IS NOT :advertiserAt)`;
const MAY_HAVE_IT = `(NOT :evenIfSent AND (${OUTCOMES_OWED} OR EXISTS (SELECT 1 FROM lost_reaches r
  WHERE r.client IN (:client, 0) AND r.phone = :phone AND r.at > :now - ${MAY_HAVE_MS})))`;
const MESSAGE_QUOTA = "(SELECT message_quota FROM users WHERE id = :client)";
/** Of an older carrier every row has expired. */
const LONGEST_LIFE_MS = MAX_SEND_AHEAD_MS + 24 * 60 * 60_000;
/** A carrier that waits for a person stops all messages of its kind, on any day: another one would go around it. */
const IS_PAUSED = `EXISTS (SELECT 1 FROM campaigns k
  WHERE k.client = :client AND k.carrier_until > :now - ${LONGEST_LIFE_MS} AND k.kind = :kind AND k.status = 'paused')`;
const OF_DAY = "k.client = :client AND k.carrier_until = :until AND k.kind = :kind AND k.image IS :image";
const HAS_NUMBER = "EXISTS (SELECT 1 FROM deliveries o WHERE o.campaign = k.id AND o.phone = :phone)";
const TO_NUMBER = `(SELECT count(*) FROM campaigns k WHERE ${OF_DAY} AND ${HAS_NUMBER})`;
/** The carrier that takes the message; null = none yet. One that ended, was cancelled or forgotten takes no more. */
const CARRIER = `(SELECT k.id FROM campaigns k
  WHERE ${OF_DAY} AND k.sent_parts = :parts AND k.status IN ('processing', 'active') AND k.forgotten_at IS NULL
    AND NOT ${HAS_NUMBER} ORDER BY k.carrier_no LIMIT 1)`;
const ALLOWED = `${IS_ENABLED} AND NOT ${IS_REMOVED} AND NOT ${LACKS_CONSENT} AND NOT ${WORDS_CHANGED}`;
const MAY_GO = `${ALLOWED} AND ${MESSAGE_QUOTA} > 0 AND NOT ${IS_PAUSED} AND NOT ${MAY_HAVE_IT}
  AND ${TO_NUMBER} < ${MOST_TO_A_NUMBER}`;

// Mostly there is a carrier: then nothing else is asked.
const ADD_CARRIER =
  `INSERT INTO campaigns (client, name, message, image, kind, status, send_at, sent_text, sent_parts,
    required_fields, carrier_until, carrier_no, created_at, updated_at, edited_by, edited_by_key)
  SELECT :client, '${CARRIER_NAME}', '', :image, :kind, 'active', :now, iif(:kind = 'marketing', '', NULL), :parts,
    :required, :until, (SELECT coalesce(max(k.carrier_no), 0) + 1 FROM campaigns k WHERE ${OF_DAY}), :now, :now,
    :person, :byKey
  WHERE ${CARRIER} IS NULL AND ${MAY_GO}`;
// No row = refused; LOOK says why.
const ADD_ROW = `INSERT INTO deliveries (campaign, phone, fields, not_before, expires_at, updated_at)
  SELECT k.id, :phone, :fields, :dueAt, :expiresAt, :now FROM (SELECT ${CARRIER} AS id) k
  WHERE k.id IS NOT NULL AND ${MAY_GO}`;
const ADD_MESSAGE =
  `INSERT INTO messages (client, delivery, kind, reference, send_after, expires_at, has_image,
    created_at, made_by, by_key)
  SELECT :client, last_insert_rowid(), :kind, :reference, :sendAfter, :expiresAt, :image IS NOT NULL,
    :now, :person, :byKey WHERE ${STEP_BEFORE_CHANGED} RETURNING id`;
/** The message that this transaction has added. */
const ADDED = "(SELECT max(id) FROM messages)";
const ITS_ROW = `(SELECT delivery FROM messages WHERE id = ${ADDED})`;
const TAKE = `UPDATE campaigns SET reserved = reserved + 1, queued_count = queued_count + 1, updated_at = :now
  WHERE ${STEP_BEFORE_CHANGED} AND id = (SELECT campaign FROM deliveries WHERE id = ${ITS_ROW})`;
const RESERVE = `INSERT INTO quota_ledger (client, at, kind, delta, campaign, delivery, actor, by_key)
  SELECT :client, :now, 'reserve', -1, campaign, id, :person, :byKey FROM deliveries
  WHERE id = ${ITS_ROW} AND ${STEP_BEFORE_CHANGED}`;
const TESTS_TODAY = `(SELECT count(*) FROM messages WHERE client = :client AND delivery IS NULL
  AND created_at >= :midnight)`;
const ADD_TEST =
  `INSERT INTO messages (client, kind, reference, send_after, expires_at, has_image, created_at, made_by,
    by_key, phone, text, outcome, state, updated_at)
  SELECT :client, :kind, :reference, :sendAfter, :expiresAt, :image IS NOT NULL, :now, :person,
    :byKey, :phone, :text, :outcome, 'queued', :now
  WHERE ${ALLOWED} AND ${TESTS_TODAY} < ${MOST_TESTS_A_DAY} RETURNING id`;
const LOOK = `SELECT ${IS_ENABLED} AS enabled, ${IS_REMOVED} AS removed, ${LACKS_CONSENT} AS "lacksConsent",
  ${WORDS_CHANGED} AS "wordsChanged", ${IS_PAUSED} AS paused, ${MAY_HAVE_IT} AS "mayHaveIt",
  ${TO_NUMBER} >= ${MOST_TO_A_NUMBER} AS "isFull", ${TESTS_TODAY} >= ${MOST_TESTS_A_DAY} AS "isTested",
  ${MESSAGE_QUOTA} AS "messageQuota"`;
const LOOK_FIELDS = {
  enabled: condition,
  removed: condition,
  lacksConsent: condition,
  wordsChanged: condition,
  paused: condition,
  mayHaveIt: condition,
  isFull: condition,
  isTested: condition,
  messageQuota: users.messageQuota,
};
const IMAGE = `SELECT image FROM message_images
  WHERE id = :id AND client = :client AND created_at > :now - ${IMAGE_KEPT_MS}`;

/**
 * Accepts a message in one transaction, with one unit of quota; it is leased like a campaign's row. A message of a test
 * key is kept beside the queue and reaches no phone.
 *
 * @throws {HttpError} `invalid_input`, `quota_short`, `opted_out`, `consent_missing`, `messages_paused`,
 *   `may_have_been_sent`, `too_many_attempts`, `not_logged_in`, and as composeMessage()
 */
export async function acceptMessage(
  ctx: EdgeContext,
  caller: Pick<Caller, "client" | "person" | "key">,
  request: MessageRequest,
): Promise<Message> {
  const { phone } = parsePhone(request.to);
  if (phone === undefined) {
    throw new HttpError("invalid_input", { text: "מספר הטלפון לא תקין.", detail: "to" });
  }
  for (let tries = 1;; tries++) {
    const words = await readWords(ctx, caller, request);
    const accepted = await accept(ctx, caller, phone, request, words);
    if (accepted !== null) return accepted;
    if (tries === MAX_TRIES) throw new HttpError("not_ready");
  }
}

interface Words {
  advertiser: Advertiser | null;
  advertiserAt: number | null;
  /** SHA-256 of the picture. */
  image: string | null;
}

/** Most messages have neither, and read nothing. */
async function readWords(
  ctx: EdgeContext,
  { client }: Pick<Caller, "client">,
  { kind, image: id }: MessageRequest,
): Promise<Words> {
  if (kind !== "marketing" && id === null) return { advertiser: null, advertiserAt: null, image: null };
  const args = { client, id, now: ctx.now() };
  const { advertiser, at, image } = await readBatch(ctx.db, {
    advertiser: advertiserOf(client),
    at: statement(`SELECT ${ADVERTISER_AT} AS at`, args),
    image: statement(IMAGE, args),
  });
  const [found] = rowsAs(image, { image: messageImages.image });
  if (id !== null && found === undefined) {
    throw new HttpError("invalid_input", { text: "התמונה לא נמצאה. נא להעלות אותה שוב.", detail: "image" });
  }
  return {
    advertiser: toAdvertiser(advertiser),
    advertiserAt: rowsAs(at, { at: orNull(advertisers.updatedAt) })[0]!.at,
    image: found?.image ?? null,
  };
}

/** Returns null when something has changed since the text was composed, or since the refusal: it is worth another try. */
async function accept(
  ctx: EdgeContext,
  { client, person, key }: Pick<Caller, "client" | "person" | "key">,
  phone: number,
  request: MessageRequest,
  { advertiser, advertiserAt, image }: Words,
): Promise<Message | null> {
  const { kind, reference, sendAfter, evenIfSent } = request;
  const now = ctx.now();
  const { dueAt, expiresAt } = timesOf(request, now);
  const { text, parts } = composeMessage(ctx, request, advertiser);
  const args = {
    ...{ client, person, phone, kind, image, reference, sendAfter, dueAt, expiresAt, evenIfSent, text, now },
    byKey: key?.id ?? null,
    mark: markOf(ctx, "phone", `+${phone}`),
    advertiserAt,
    until: dueAt + msToLocalMidnight(dueAt),
    parts: JSON.stringify(parts),
    required: REQUIRED_FIELDS,
    fields: fieldsOfText(text),
    midnight: localMidnight(now),
    outcome: TEST_NUMBERS.find((test) => test.phone === phone)?.state ?? "sent",
  };
  const isTest = key?.isTest ?? false;
  const { added } = isTest ? await addTest(ctx, args) : await addLive(ctx, args);
  const [message] = rowsAs(added, { id: messages.id });
  if (message === undefined) {
    const [found] = rowsAs(await ctx.db.execute(statement(LOOK, args)), LOOK_FIELDS);
    const refused = refusal(found!, now, isTest);
    if (refused === null) return null;
    throw refused;
  }
  if (!isTest) ctx.wakeOutbox();
  return {
    id: message.id,
    state: "queued",
    reason: null,
    mode: isTest ? "test" : "live",
    to: toWirePhone(phone),
    text,
    kind,
    hasImage: image !== null,
    reference,
    sendAfter,
    expiresAt,
    createdAt: now,
    updatedAt: now,
    attempts: 0,
    sender: null,
  };
}

type Args = Record<string, InValue> & { now: number };

function addLive(ctx: EdgeContext, args: Args) {
  const { now, person, kind } = args;
  const dataSql = { sql: "json_object('carrier', last_insert_rowid(), 'kind', ?)", args: [kind!] };
  const record = recordCall({ status: 202, made: { sql: ADDED } });
  return writeBatch(ctx.db, {
    carrierAdded: statement(ADD_CARRIER, args),
    audited: rightAfter(
      "carrierAdded",
      noteAudit(now, { kind: "messages_began", actor: Number(person), dataSql }, STEP_BEFORE_CHANGED),
    ),
    rowAdded: statement(ADD_ROW, args),
    added: rightAfter("rowAdded", statement(ADD_MESSAGE, args)),
    taken: rightAfter("added", statement(TAKE, args)),
    reserved: rightAfter("taken", statement(RESERVE, args)),
    recorded: record && rightAfter("reserved", record),
    ...tellSteps(record ? "recorded" : "reserved", now),
  });
}

function addTest(ctx: EdgeContext, args: Args) {
  const record = recordCall({ status: 202, made: { sql: ADDED } });
  return writeBatch(ctx.db, {
    added: statement(ADD_TEST, args),
    recorded: record && rightAfter("added", record),
  });
}

/**
 * Returns from when on, and until when, a message may be sent.
 *
 * @throws {HttpError} `invalid_input`
 */
function timesOf(
  { sendAfter, expiresAt }: Pick<MessageRequest, "sendAfter" | "expiresAt">,
  now: number,
): { dueAt: number; expiresAt: number } {
  const dueAt = Math.max(now, sendAfter ?? now);
  if (dueAt > now + MAX_SEND_AHEAD_MS) {
    throw new HttpError("invalid_input", {
      text: "אפשר לקבוע הודעה עד שבעה ימים מראש.",
      detail: "sendAfter",
    });
  }
  const endsAt = expiresAt ?? dueAt + DEFAULT_LIFE_MS;
  if (endsAt <= dueAt || endsAt > dueAt + MAX_SEND_AHEAD_MS) {
    throw new HttpError("invalid_input", {
      text: "הזמן שאחריו ההודעה לא תישלח צריך להיות אחרי זמן השליחה, ועד שבעה ימים ממנו.",
      detail: "expiresAt",
    });
  }
  return { dueAt, expiresAt: endsAt };
}

/** Returns why a message was refused; null = nothing forbids it now. */
function refusal(
  { enabled, removed, lacksConsent, wordsChanged, paused, mayHaveIt, isFull, isTested, messageQuota }: {
    [Name in keyof typeof LOOK_FIELDS]: Name extends "messageQuota" ? number : boolean;
  },
  now: number,
  isTest: boolean,
): HttpError | null {
  if (!enabled) return new HttpError("not_logged_in");
  if (removed) return new HttpError("opted_out");
  if (wordsChanged) return null;
  if (lacksConsent) return new HttpError("consent_missing");
  const headers = { "retry-after": String(Math.ceil(msToLocalMidnight(now) / 1000)) };
  if (isTest) {
    const text = `אפשר ליצור עד ${MOST_TESTS_A_DAY.toLocaleString("en-US")} הודעות ניסיון ביום.`;
    return isTested ? new HttpError("too_many_attempts", { text, headers }) : null;
  }
  if (paused) return new HttpError("messages_paused");
  if (mayHaveIt) return new HttpError("may_have_been_sent");
  if (messageQuota < 1) {
    return new HttpError("quota_short", { text: "המכסה נגמרה. נא לפנות למנהל המערכת לטעינת הודעות." });
  }
  if (!isFull) return null;
  const text = `אפשר לשלוח למספר אחד עד ${MOST_TO_A_NUMBER} הודעות מאותו סוג ביום.`;
  return new HttpError("too_many_attempts", { text, headers });
}
