/** Keeps the text of a file while a person looks at what will become of it. */
import { and, asc, eq, gt } from "drizzle-orm";
import { MAX_STAGED, sheetSchema, STAGED_MS, TABLE_NOTES, type TableNote } from "shared/staged_api.ts";
import { z } from "zod";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { execute, query } from "../db/query.ts";
import { stagedChunks, stagedFiles } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";

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
const GONE = "הקובץ כבר לא שמור כאן. כדאי לבחור אותו שוב.";

const OLD = `SELECT id FROM staged_files WHERE user = :user ORDER BY id DESC LIMIT -1 OFFSET ${MAX_STAGED}`;
const DROP_OLD_CHUNKS = `DELETE FROM staged_chunks WHERE staged IN (${OLD})`;
const DROP_OLD = `DELETE FROM staged_files WHERE id IN (${OLD})`;

/** Keeps a file for a person; returns its id. The oldest of more than MAX_STAGED is dropped. */
export async function stageFile(ctx: EdgeContext, user: number, text: StagedText): Promise<KeptText> {
  const createdAt = ctx.now();
  const { csv, sheets, notes, ...rest } = text;
  const row = { ...rest, user, createdAt, sheets: JSON.stringify(sheets), notes: JSON.stringify(notes) };
  const id = await inTransaction(ctx.db, async (tx) => {
    const { rows: [added] } = await execute(
      tx,
      query.insert(stagedFiles).values(row).returning({ id: stagedFiles.id }),
    );
    for (let no = 0; no * CHUNK_BYTES < csv.length; no++) {
      const bytes = csv.slice(no * CHUNK_BYTES, (no + 1) * CHUNK_BYTES);
      await tx.execute({
        sql: "INSERT INTO staged_chunks (staged, no, bytes) VALUES (?, ?, ?)",
        args: [added!.id, no, bytes],
      });
    }
    await tx.execute(statement(DROP_OLD_CHUNKS, { user }));
    await tx.execute(statement(DROP_OLD, { user }));
    return added!.id;
  });
  return { ...text, id, until: createdAt + STAGED_MS };
}

/** Returns a person's staged file. @throws {HttpError} `not_found` when it is another person's, or forgotten */
export async function readStaged(ctx: EdgeContext, user: number, id: number): Promise<KeptText> {
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
  const { rows: chunks } = await execute(
    ctx.db,
    query.select({ bytes: stagedChunks.bytes }).from(stagedChunks).where(eq(stagedChunks.staged, id))
      .orderBy(asc(stagedChunks.no)),
  );
  // Without chunks: an erasure has removed its text.
  if (row === undefined || chunks.length === 0) throw new HttpError("not_found", { text: GONE });
  return {
    id,
    fileName: row.fileName,
    kind: row.kind,
    sheets: z.array(sheetSchema).parse(JSON.parse(row.sheets)),
    sheet: row.sheet,
    notes: z.array(z.enum(TABLE_NOTES)).parse(JSON.parse(row.notes)),
    headingsKey: row.headingsKey,
    csv: joined(chunks.map(({ bytes }) => bytes)),
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

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
