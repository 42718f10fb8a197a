/** The body of a call. Numbers and texts are read here, at each try: what was erased meanwhile is null. */
import { BATCH_WEBHOOK_TYPE, type WebhookCallType } from "shared/webhook_event.ts";
import type { EdgeContext } from "../context.ts";
import { toWirePhone } from "../numbers/wire_phone.ts";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";

const OF = (table: string) =>
  `${table}.id IN (SELECT l.subject FROM webhook_log l WHERE l.id IN (SELECT value FROM json_each(:logIds)))`;
const LOG = `SELECT l.id, l.uid, l.at, l.type, l.lane, l.subject, l.data FROM webhook_log l
  WHERE l.id IN (SELECT value FROM json_each(:logIds)) ORDER BY l.id`;
/** What each kind of event reads of its subject; a subject that is gone has no row. */
const SUBJECTS = {
  message: `SELECT d.id, d.phone FROM deliveries d WHERE ${OF("d")}`,
  campaign: `SELECT c.id, c.name FROM campaigns c WHERE ${OF("c")}`,
  opt_out: `SELECT s.id, s.phone FROM suppressions s WHERE ${OF("s")}`,
  reply: `SELECT r.id, r.phone, r.excerpt, r.state FROM replies r WHERE ${OF("r")}`,
  site: `SELECT s.id, s.name FROM sites s WHERE ${OF("s")}`,
} as const;

export interface CallContent {
  uid: string;
  type: WebhookCallType;
  /** As JSON. */
  logIds: string;
}

interface Fact {
  id: string;
  type: string;
  /** ISO 8601. */
  timestamp: string;
  data: Record<string, unknown>;
}

type Row = Record<string, unknown>;

/** Returns the body of a call as text; null when nothing of its events is kept any more. */
export async function composeBody(
  ctx: EdgeContext,
  { uid, type, logIds }: CallContent,
): Promise<string | null> {
  const kind = type.split(".")[0]!;
  const subjectSql = Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind as keyof typeof SUBJECTS] : undefined;
  const { log, subjects } = await readBatch(ctx.db, {
    log: statement(LOG, { logIds }),
    subjects: subjectSql === undefined ? undefined : statement(subjectSql, { logIds }),
  });
  const byId = new Map(subjects?.rows.map((row): [number, Row] => [Number(row.id), row]));
  const facts = log.rows.map((row): Fact => ({
    id: String(row.uid),
    type: String(row.type),
    timestamp: new Date(Number(row.at)).toISOString(),
    data: dataOf(kind, row, byId.get(Number(row.subject))),
  }));
  const [first] = facts;
  if (first === undefined) return null;
  if (type !== BATCH_WEBHOOK_TYPE) return JSON.stringify(first);
  return JSON.stringify({ id: uid, type, timestamp: first.timestamp, data: { events: facts } });
}

function dataOf(kind: string, row: Row, subject: Row | undefined): Record<string, unknown> {
  const facts = JSON.parse(String(row.data)) as Record<string, unknown>;
  const id = row.subject === null ? null : Number(row.subject);
  switch (kind) {
    case "message":
      return { messageId: id, campaignId: Number(row.lane), to: phoneOf(subject), reason: null, ...facts };
    case "campaign":
      return { campaignId: id, name: subject?.name ?? null, ...facts };
    case "opt_out":
      return { phone: phoneOf(subject) };
    case "reply":
      return {
        replyId: id,
        campaignId: Number(row.lane),
        phone: phoneOf(subject),
        text: subject?.excerpt ?? null,
        state: subject?.state ?? null,
      };
    case "site":
      return { siteId: id, name: subject?.name ?? null, ...facts };
    case "account":
      return { accountId: id, ...facts };
    default:
      return facts;
  }
}

/** A forgotten or erased number is an alias below zero. */
function phoneOf(subject: Row | undefined): string | null {
  const phone = Number(subject?.phone ?? 0);
  return phone > 0 ? toWirePhone(phone) : null;
}
