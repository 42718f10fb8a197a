/** The files that the database keeps: uploads that wait or were read, rejected rows, and staged files. */
import type { Client, InStatement } from "@libsql/client/web";
import { orNull, rowsAs } from "../db/query.ts";
import { importChunks, imports, stagedChunks, stagedFiles } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import type { StoredText } from "./numbers_in_files.ts";

type Reader = Pick<Client, "execute">;

export interface StoredFile {
  kind: StoredText["kind"];
  /** Of the import, or of the staged file. */
  id: number;
  /** Differs when the content does. */
  version: string;
  /** An import has still to read it. */
  isAwaited: boolean;
}

/** Some milliseconds of reading. */
const CHUNKS_A_TURN = 4;

const IMPORTED = `SELECT c.import, c.kind, i.status, i.updated_at AS updatedAt, sum(length(c.bytes)) AS length
  FROM import_chunks c LEFT JOIN imports i ON i.id = c.import GROUP BY c.import, c.kind ORDER BY c.import, c.kind`;
const LENGTH = "(SELECT coalesce(sum(length(c.bytes)), 0) FROM staged_chunks c WHERE c.staged = s.id)";
/** Rows of files that are still being written, or lost a part to an erasure. */
const UNFINISHED = `SELECT s.id FROM staged_files s WHERE s.bytes > ${LENGTH}`;
const STAGED =
  `SELECT DISTINCT staged FROM staged_chunks WHERE staged NOT IN (${UNFINISHED}) ORDER BY staged`;
const DROP_CHUNKS = `DELETE FROM staged_chunks WHERE staged IN (${UNFINISHED})`;
const DROP_FILES = `DELETE FROM staged_files WHERE id IN (${UNFINISHED})`;

const READ_IMPORTED = `SELECT bytes FROM import_chunks
  WHERE import = :id AND kind = :kind ORDER BY no LIMIT ${CHUNKS_A_TURN} OFFSET :from`;
const READ_STAGED =
  `SELECT bytes FROM staged_chunks WHERE staged = :id ORDER BY no LIMIT ${CHUNKS_A_TURN} OFFSET :from`;
const DELETE_IMPORTED = "DELETE FROM import_chunks WHERE import = :id AND kind = :kind";
const DELETE_STAGED = "DELETE FROM staged_chunks WHERE staged = :id";

/** Returns every file that is kept whole. */
export async function listStoredFiles(db: Reader): Promise<StoredFile[]> {
  const imported = rowsAs(await db.execute(IMPORTED), {
    import: importChunks.import,
    kind: importChunks.kind,
    status: orNull(imports.status),
    updatedAt: orNull(imports.updatedAt),
    length: stagedFiles.bytes,
  });
  const staged = rowsAs(await db.execute(STAGED), { staged: stagedChunks.staged });
  return [
    ...imported.map(({ import: id, kind, status, updatedAt, length }): StoredFile => ({
      kind,
      id,
      // Another try of an import replaces its rejected rows.
      version: kind === "raw" ? "" : `${updatedAt} ${length}`,
      isAwaited: kind === "raw" && (status === "queued" || status === "processing"),
    })),
    ...staged.map(({ staged: id }): StoredFile => ({ kind: "staged", id, version: "", isAwaited: false })),
  ];
}

/** Returns a file's bytes, read some pieces at a time; `turn` lets others in between. */
export async function readStoredFile(
  db: Reader,
  { kind, id }: Pick<StoredFile, "kind" | "id">,
  turn: () => Promise<void>,
): Promise<StoredText> {
  const sql = kind === "staged" ? READ_STAGED : READ_IMPORTED;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const args = { id, from: pieces.length, ...(kind === "staged" ? {} : { kind }) };
    const rows = rowsAs(await db.execute(statement(sql, args)), { bytes: importChunks.bytes });
    pieces.push(...rows.map(({ bytes }) => new Uint8Array(bytes)));
    if (rows.length < CHUNKS_A_TURN) break;
    await turn();
  }
  return { kind, bytes: new Uint8Array(await new Blob(pieces).arrayBuffer()) };
}

/** Deletes a file's bytes. */
export function deleteStoredFile({ kind, id }: Pick<StoredFile, "kind" | "id">): InStatement {
  return kind === "staged" ? statement(DELETE_STAGED, { id }) : statement(DELETE_IMPORTED, { id, kind });
}

/** Deletes staged files that are there only in part. An upload that still writes its file ends (stage_file.ts). */
export function dropUnfinished(): [chunks: InStatement, files: InStatement] {
  return [DROP_CHUNKS, DROP_FILES];
}
