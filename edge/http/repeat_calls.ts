/** Idempotency-Key: a repeated call does nothing again, and gets the answer of the first. */
import type { Context, MiddlewareHandler } from "hono";
import { base64url } from "jose";
import { createHash } from "node:crypto";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { repeatableCalls } from "../db/schema.ts";
import { isBusy } from "../db/sqlite_error.ts";
import { statement } from "../db/statement.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "./http_error.ts";
import { readMultipart } from "./read_multipart.ts";
import { asRepeatable, CALLS_KEPT_MS, recordCall, type RepeatableCall } from "./repeatable_call.ts";
import type { AppEnv, Caller } from "./router.ts";

/** How long a call without an end is taken for running; then its edge has died, and another run may begin. */
export const CALL_RUNS_MS = 2 * 60_000;
const KEY = /^[\x21-\x7e]{1,255}$/;
/** No upload that a route takes is larger. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The end of an earlier call. */
export interface EndedCall {
  status: number;
  made: number | null;
  /** Counts of the answer. */
  figures: Record<string, unknown>;
}

/** A call that takes an Idempotency-Key. */
export interface Repeat {
  method: string;
  path: RegExp;
  /** How the body arrives: as short JSON, as a form with files, or as long text. */
  body: "json" | "form" | "long";
  /** Returns the answer of an earlier call again, from what it made. */
  again(caller: Caller, ended: EndedCall, path: string): Promise<unknown>;
  /** Returns the counts of an answer to keep, where the verb records nothing itself; never a number or a text. */
  figures?(answer: Record<string, unknown>): Record<string, unknown>;
}

const BEGIN = `INSERT INTO repeatable_calls (person, key_mark, attempt, call_mark, began_at, runs_until)
  VALUES (:person, :keyMark, :attempt, :callMark, :now, :until)
  ON CONFLICT (person, key_mark) DO UPDATE SET attempt = excluded.attempt, call_mark = excluded.call_mark, status = 0,
    made = NULL, figures = '{}', began_at = excluded.began_at, runs_until = excluded.runs_until
  WHERE (repeatable_calls.status = 0 AND repeatable_calls.runs_until <= :now)
    OR repeatable_calls.began_at <= :now - ${CALLS_KEPT_MS}
  RETURNING attempt`;
const LOOK = `SELECT attempt, call_mark, status, made, figures FROM repeatable_calls
  WHERE person = :person AND key_mark = :keyMark`;
const GIVE_UP = `DELETE FROM repeatable_calls
  WHERE person = :person AND key_mark = :keyMark AND attempt = :attempt AND status = 0`;

/**
 * Returns a middleware for calls with an Idempotency-Key. The first call with a key runs. One with the same key and
 * body gets its answer, marked by Idempotency-Replayed; one with another body `call_key_reused`; one while the first
 * still runs `call_running`. A refused call leaves no trace, so that it can be corrected and made again.
 */
export function repeatCalls(ctx: EdgeContext, repeats: readonly Repeat[]): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const key = c.req.header("idempotency-key");
    const caller = c.get("user");
    const repeat = repeats.find(({ method, path }) => method === c.req.method && path.test(c.req.path));
    if (key === undefined || !caller || repeat === undefined) return await next();
    if (!KEY.test(key)) {
      throw new HttpError("invalid_input", {
        detail: "Idempotency-Key is 1 to 255 visible ASCII characters",
      });
    }
    const call: RepeatableCall = {
      person: caller.person,
      keyMark: markOf(ctx, "call", namedBy(caller, key)),
      attempt: base64url.encode(ctx.randomBytes(12)),
      callMark: repeat.body === "json" ? markCall(ctx, c, await digestOf(withoutProof(await bodyOf(c)))) : "",
      beganAt: ctx.now(),
      isRecorded: false,
      sawBody(digest) {
        this.callMark = markCall(ctx, c, digest);
      },
    };
    const ended = await begin(ctx, call);
    if (ended !== undefined) {
      const callMark = call.callMark || markCall(ctx, c, await digestOfLong(c, repeat));
      if (callMark !== ended.callMark) throw new HttpError("call_key_reused");
      const answer = await repeat.again(caller, ended, c.req.path);
      return c.json(answer as object, ended.status as 200, { "idempotency-replayed": "true" });
    }
    await asRepeatable(call, async () => {
      if (repeat.body === "long") digestWhileRead(c, call);
      await next();
      await end(ctx, c, call, repeat);
    });
  };
}

/** A program that tries its calls with a test key makes them again in earnest: those are other calls. */
function namedBy({ key }: Caller, callKey: string): string {
  return key?.isTest ? `test ${callKey}` : callKey;
}

/** Returns undefined when this call may run, else the end of an earlier one. @throws HttpError call_running */
async function begin(
  ctx: EdgeContext,
  { person, keyMark, attempt, callMark, beganAt: now }: RepeatableCall,
): Promise<EndedCall & { callMark: string } | undefined> {
  const args = { person, keyMark, attempt, callMark, now, until: now + CALL_RUNS_MS };
  const { look } = await writeBatch(ctx.db, { begun: statement(BEGIN, args), look: statement(LOOK, args) });
  const { attempt: running, callMark: mark, status, made, figures } = repeatableCalls;
  const [row] = rowsAs(look, { attempt: running, callMark: mark, status, made, figures });
  if (row === undefined || row.attempt === attempt) return undefined;
  if (row.status === 0) throw new HttpError("call_running", { headers: { "retry-after": "1" } });
  return { ...row, figures: JSON.parse(row.figures) };
}

/** Records a call whose verb did not, or forgets a refused one. */
async function end(ctx: EdgeContext, c: Context, call: RepeatableCall, repeat: Repeat): Promise<void> {
  if (c.res.status < 400) {
    if (call.isRecorded) return;
    const figures = repeat.figures?.(await c.res.clone().json()) ?? {};
    const kept = { sql: "?", args: [JSON.stringify(figures)] };
    await ctx.db.execute(recordCall({ status: c.res.status, figures: kept }, { always: true })!);
    return;
  }
  // After an unexpected error nobody knows what was done: the key stays taken until the run counts as dead.
  if (c.error !== undefined && !(c.error instanceof HttpError) && !isBusy(c.error)) return;
  const { person, keyMark, attempt } = call;
  await ctx.db.execute(statement(GIVE_UP, { person, keyMark, attempt }));
}

function markCall(ctx: EdgeContext, c: Context, digest: string): string {
  return markOf(ctx, "call", `${c.req.method} ${c.req.path}\n${digest}`);
}

async function bodyOf(c: Context): Promise<Uint8Array<ArrayBuffer>> {
  if (c.req.raw.body === null) return new Uint8Array();
  return new Uint8Array(await c.req.raw.clone().arrayBuffer());
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Returns the digest of a repeated call's long body, which no handler reads. */
async function digestOfLong(c: Context, { body }: Repeat): Promise<string> {
  if (body === "form") {
    let digest = "";
    const call = { sawBody: (found: string) => digest = found } as unknown as RepeatableCall;
    await asRepeatable(call, () => readMultipart(c.req.raw, MAX_BODY_BYTES));
    return digest;
  }
  return await digestOf(new Uint8Array(await c.req.raw.arrayBuffer()));
}

/** Leaves a person's proof out of a JSON body: a code of their app differs at each try of the same act. */
function withoutProof(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(body);
  if (!text.includes('"proof"')) return body;
  try {
    const { proof: _, ...act } = JSON.parse(text);
    return new TextEncoder().encode(JSON.stringify(act));
  } catch {
    return body;
  }
}

/** Lets the handler read the body as it arrives, and marks the call before the handler sees its end. */
function digestWhileRead(c: Context, call: RepeatableCall): void {
  const { url, method, headers, signal, body } = c.req.raw;
  if (body === null) return;
  const hash = createHash("sha256");
  const seen = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        hash.update(piece);
        controller.enqueue(piece);
      },
      flush: () => call.sawBody(hash.digest("hex")),
    }),
  );
  c.req.raw = new Request(url, { method, headers, body: seen, signal });
}
