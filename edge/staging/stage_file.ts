/** Keeps the text of a file while a person looks at what will become of it. */
import type { InStatement, Transaction } from "@libsql/client/web";
import { and, asc, eq, gt, gte } from "drizzle-orm";
import {
  MAX_STAGED,
  MAX_STAGED_BYTES,
  MAX_STAGED_BYTES_IN_ALL,
  sheetSchema,
  STAGED_MS,
  TABLE_NOTES,
  type TableNote,
} from "shared/staged_api.ts";
import { z } from "zod";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { execute, query, rowsAs } from "../db/query.ts";
import { stagedChunks, stagedFiles } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";
import { turnLoop } from "../time/turn_loop.ts";

/** A file's text, and what is known of it. */
export interface StagedText {
  fileName: string;
  kind: "csv" | "xlsx";
  sheets: z.infer<typeof sheetSchema>[];
  sheet: number | null;
  notes: TableNote[];
  /** A hash of its headings; null = none. */
  headingsKey: string | null;
  /** CSV in UTF-8. */
  csv: Uint8Array;
}

export interface KeptText extends StagedText {
  id: number;
  until: number;
}

/** Bytes per row; a remote database accepts statements of some megabytes at most. */
const CHUNK_BYTES = 256 * 1024;
/** Some milliseconds of reading or writing. */
const CHUNKS_A_TURN = 4;
const GONE = "הקובץ כבר לא שמור כאן. כדאי לבחור אותו שוב.";

const BY_PERSON = `SELECT user, sum(bytes) AS bytes, count(*) AS count, min(id) AS oldest FROM staged_files
  GROUP BY user ORDER BY 2 DESC, user`;
const DROP_CHUNKS = "DELETE FROM staged_chunks WHERE staged = :id";
const DROP_FILE = "DELETE FROM staged_files WHERE id = :id";
// Its row is gone when the file was dropped meanwhile: for a newer one, or because an erasure cannot read it whole.
const ADD_CHUNK = `INSERT INTO staged_chunks (staged, no, bytes) SELECT :id, :no, :bytes
  WHERE EXISTS (SELECT 1 FROM staged_files WHERE id = :id)`;

/**
 * Keeps a file for a person, in several commits that let others through: until the last, nobody can read it. The
 * person's oldest files make room for it when they are too many or too long.
 *
 * @throws {HttpError} `staging_full` when all people's files are too long together; `not_found` when the file had to
 * go while it was written
 */
export async function stageFile(ctx: EdgeContext, user: number, text: StagedText): Promise<KeptText> {
  const createdAt = ctx.now();
  const { csv, sheets, notes, ...rest } = text;
  const row = {
    ...rest,
    user,
    createdAt,
    bytes: csv.length,
    sheets: JSON.stringify(sheets),
    notes: JSON.stringify(notes),
  };
  const id = await inTransaction(ctx.db, async (tx) => {
    await makeRoom(tx, user, csv.length);
    const { rows: [added] } = await execute(
      tx,
      query.insert(stagedFiles).values(row).returning({ id: stagedFiles.id }),
    );
    return added!.id;
  });
  for (let from = 0; from * CHUNK_BYTES < csv.length; from += CHUNKS_A_TURN) {
    const added = await ctx.db.batch(chunksOf(csv, id, from), "write");
    if (added.some(({ rowsAffected }) => rowsAffected === 0)) {
      throw new HttpError("not_found", { text: GONE });
    }
    await turnLoop();
  }
  return { ...text, id, until: createdAt + STAGED_MS };
}

/**
 * Drops files until a further one of so many bytes may be kept. First the person's own oldest go. Then the oldest of
 * the person with the most bytes go, so that nobody can shut others out.
 *
 * @throws {HttpError} `staging_full` when this person would have the most bytes
 */
async function makeRoom(tx: Transaction, user: number, bytes: number): Promise<void> {
  for (;;) {
    const people = rowsAs(await tx.execute(BY_PERSON), {
      user: stagedFiles.user,
      bytes: stagedFiles.bytes,
      count: stagedFiles.id,
      oldest: stagedFiles.id,
    });
    const own = people.find((one) => one.user === user) ?? { bytes: 0, count: 0, oldest: 0 };
    const all = people.reduce((sum, one) => sum + one.bytes, 0);
    const isOwnFull = own.count >= MAX_STAGED || own.bytes + bytes > MAX_STAGED_BYTES;
    if (!isOwnFull && all + bytes <= MAX_STAGED_BYTES_IN_ALL) return;
    const [most] = people;
    if (!isOwnFull && (most === undefined || most.bytes <= own.bytes + bytes)) {
      throw new HttpError("staging_full");
    }
    const id = isOwnFull ? own.oldest : most!.oldest;
    await tx.batch([statement(DROP_CHUNKS, { id }), statement(DROP_FILE, { id })]);
  }
}

function chunksOf(csv: Uint8Array, staged: number, from: number): InStatement[] {
  const last = Math.min(from + CHUNKS_A_TURN, Math.ceil(csv.length / CHUNK_BYTES));
  return Array.from({ length: last - from }, (_, i) => ({
    sql: ADD_CHUNK,
    args: {
      id: staged,
      no: from + i,
      bytes: csv.slice((from + i) * CHUNK_BYTES, (from + i + 1) * CHUNK_BYTES),
    },
  }));
}

/**
 * Returns a person's staged file, or the first `maxBytes` of its text.
 *
 * @throws {HttpError} `not_found` when it is another person's, or forgotten
 */
export async function readStaged(
  ctx: EdgeContext,
  user: number,
  id: number,
  maxBytes = Infinity,
): Promise<KeptText> {
  const { rows: [row] } = await execute(
    ctx.db,
    query.select().from(stagedFiles).where(
      and(
        eq(stagedFiles.id, id),
        eq(stagedFiles.user, user),
        gt(stagedFiles.createdAt, ctx.now() - STAGED_MS),
      ),
    ),
  );
  const csv = row === undefined ? null : await readChunks(ctx, id, Math.min(row.bytes, maxBytes));
  if (row === undefined || csv === null) throw new HttpError("not_found", { text: GONE });
  return {
    id,
    fileName: row.fileName,
    kind: row.kind,
    sheets: z.array(sheetSchema).parse(JSON.parse(row.sheets)),
    sheet: row.sheet,
    notes: z.array(z.enum(TABLE_NOTES)).parse(JSON.parse(row.notes)),
    headingsKey: row.headingsKey,
    csv,
    until: row.createdAt + STAGED_MS,
  };
}

/** Forgets a person's staged file; another person's stays. */
export async function dropStaged(ctx: EdgeContext, user: number, id: number): Promise<void> {
  const own = "SELECT id FROM staged_files WHERE id = :id AND user = :user";
  await ctx.db.batch([
    statement(`DELETE FROM staged_chunks WHERE staged IN (${own})`, { id, user }),
    statement(`DELETE FROM staged_files WHERE id IN (${own})`, { id, user }),
  ], "write");
}

/** Forgets the files of an hour ago. */
export async function dropOldStaged(ctx: EdgeContext): Promise<void> {
  const before = ctx.now() - STAGED_MS;
  const { rows } = await ctx.db.execute(
    statement("SELECT 1 FROM staged_files WHERE created_at <= :before LIMIT 1", { before }),
  );
  if (rows.length === 0) return;
  await ctx.db.batch([
    statement(
      "DELETE FROM staged_chunks WHERE staged IN (SELECT id FROM staged_files WHERE created_at <= :before)",
      { before },
    ),
    statement("DELETE FROM staged_files WHERE created_at <= :before", { before }),
  ], "write");
}

/**
 * Reads the first `length` bytes of a text; the event loop turns between a few pieces. Returns null when some are
 * missing. Pieces that were put together at the end would be in memory twice.
 */
async function readChunks(ctx: EdgeContext, staged: number, length: number): Promise<Uint8Array | null> {
  const csv = new Uint8Array(length);
  let at = 0;
  for (let no = 0; at < length; no += CHUNKS_A_TURN) {
    if (no > 0) await turnLoop();
    const { rows } = await execute(
      ctx.db,
      query.select({ bytes: stagedChunks.bytes }).from(stagedChunks)
        .where(and(eq(stagedChunks.staged, staged), gte(stagedChunks.no, no)))
        .orderBy(asc(stagedChunks.no)).limit(CHUNKS_A_TURN),
    );
    for (const { bytes } of rows) {
      const part = bytes.subarray(0, length - at);
      csv.set(part, at);
      at += part.length;
    }
    if (rows.length < CHUNKS_A_TURN) break;
  }
  return at === length ? csv : null;
}
