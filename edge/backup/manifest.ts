/** A backup's description of itself, in a file beside the copy. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { z } from "zod";

export const DATABASE_FILE = "shigur.db";
export const MANIFEST_FILE = "manifest.json";
/** Folder in DATA_DIR that contains a folder for each backup. */
export const BACKUPS_FOLDER = "backups";

export const manifestSchema = z.object({
  format: z.literal(1),
  /** When the copy began; later commits are not in it. ISO 8601. */
  madeAt: z.iso.datetime(),
  bytes: z.int().positive(),
  /** Hash of the file, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Names of the migrations applied to the copy. */
  migrations: z.array(z.string().max(200)),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A backup cannot be made or used; `message` is a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** Returns the SHA-256 of a file of any size in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
