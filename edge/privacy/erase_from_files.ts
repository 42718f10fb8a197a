/** Searches uploaded files and rejected rows, stored as bytes, for a number in any spelling. */
import type { Client, Transaction } from "@libsql/client/web";
import { and, eq } from "drizzle-orm";
import { execute, orNull, query, rowsAs } from "../db/query.ts";
import { importChunks, imports, stagedChunks } from "../db/schema.ts";

/** The last digits are equal in every spelling of a number. */
const SHARED_DIGITS = 8;
/** Characters between the digits of one number; a comma or a tab would join two columns. NUL is part of UTF-16. */
const BETWEEN = /[\0 ().\-\u00a0\u2010-\u2015]+/g;

const LIST =
  `SELECT DISTINCT c.import, c.kind, i.status FROM import_chunks c LEFT JOIN imports i ON i.id = c.import
  ORDER BY c.import, c.kind`;

/** A file as it was uploaded, or its rejected rows. */
type StoredFile = Pick<typeof importChunks.$inferSelect, "import" | "kind">;

/**
 * Deletes the stored bytes of every file that contains the number; its rows are already added or refused. A file that
 * is still to be read is left until then. A false match costs a copy that is no longer needed.
 */
export async function eraseFromFiles(
  tx: Transaction,
  phone: number,
): Promise<{ removed: number; isWaiting: boolean }> {
  const needle = String(phone).slice(-SHARED_DIGITS);
  let removed = 0;
  let isWaiting = false;
  const files = rowsAs(await tx.execute(LIST), {
    import: importChunks.import,
    kind: importChunks.kind,
    status: orNull(imports.status),
  });
  for (const { status, ...file } of files) {
    if (!(await readText(tx, file)).includes(needle)) continue;
    if (file.kind === "raw" && (status === "queued" || status === "processing")) isWaiting = true;
    else removed += (await execute(tx, query.delete(importChunks).where(isPartOf(file)))).rowsAffected;
  }
  return { removed: removed + await eraseFromStaged(tx, needle), isWaiting };
}

/** Deletes staged files that contain the number: their owner can upload them again, without it. */
async function eraseFromStaged(tx: Transaction, needle: string): Promise<number> {
  let removed = 0;
  for (const id of await listStaged(tx)) {
    if (!(await readStagedText(tx, id)).includes(needle)) continue;
    removed +=
      (await execute(tx, query.delete(stagedChunks).where(eq(stagedChunks.staged, id)))).rowsAffected;
  }
  return removed;
}

/** Returns the ids of all staged files. */
export async function listStaged(db: Pick<Client, "execute">): Promise<number[]> {
  const { rows } = await execute(db, query.selectDistinct({ id: stagedChunks.staged }).from(stagedChunks));
  return rows.map(({ id }) => id);
}

/** Returns the text of a staged file, as readText() does of an import. */
export async function readStagedText(db: Pick<Client, "execute">, id: number): Promise<string> {
  const { rows } = await execute(
    db,
    query.select({ bytes: stagedChunks.bytes }).from(stagedChunks).where(eq(stagedChunks.staged, id))
      .orderBy(stagedChunks.no),
  );
  return withoutSigns(rows);
}

/**
 * Returns a file's text without the characters between digits. Every accepted encoding has the same bytes for digits,
 * except for zeros in UTF-16.
 */
export async function readText(db: Pick<Client, "execute">, file: StoredFile): Promise<string> {
  const { rows } = await execute(
    db,
    query.select({ bytes: importChunks.bytes }).from(importChunks).where(isPartOf(file))
      .orderBy(importChunks.no),
  );
  return withoutSigns(rows);
}

function withoutSigns(rows: readonly { bytes: Uint8Array }[]): string {
  const decoder = new TextDecoder("latin1");
  return rows.map(({ bytes }) => decoder.decode(bytes)).join("").replace(BETWEEN, "");
}

function isPartOf(file: StoredFile) {
  return and(eq(importChunks.import, file.import), eq(importChunks.kind, file.kind));
}
