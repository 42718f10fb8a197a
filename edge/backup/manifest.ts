/** What a backup says of itself, beside its file. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { z } from "zod";

export const DATABASE_FILE = "shigur.db";
export const MANIFEST_FILE = "manifest.json";
/** Folder in DATA_DIR that has a folder of each backup. */
export const BACKUPS_FOLDER = "backups";

export const manifestSchema = z.object({
  format: z.literal(1),
  /** When the copy was begun; what was committed later is not in it. ISO 8601. */
  madeAt: z.iso.datetime(),
  bytes: z.int().positive(),
  /** Of the file, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Names of the migrations the copy has. */
  migrations: z.array(z.string().max(200)),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A backup that can't be made or used; `message` is a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** SHA-256 of a file of any size, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

/** Writes what the system still holds of a file to the disk. */
export async function syncFile(path: string): Promise<void> {
  using file = await Deno.open(path, { read: true, write: true });
  await file.sync();
}

/** Writes the names in a folder to the disk: a rename is lost with the power before that. */
export async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder, and keeps names by itself.
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path, { read: true });
  await folder.sync();
}
