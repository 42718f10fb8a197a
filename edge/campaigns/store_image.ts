import type { InStatement } from "@libsql/client/web";
import { createHash } from "node:crypto";
import { statement } from "../db/statement.ts";
import { turnLoop } from "../time/turn_loop.ts";
import type { CheckedImage } from "./image.ts";

const STORE = `INSERT INTO images (sha256, media_type, bytes, width, height, created_at)
  VALUES (:sha256, :mediaType, :bytes, :width, :height, :now) ON CONFLICT DO NOTHING`;

interface StoredImage {
  /** The hash by which campaigns name the image, in hexadecimal. */
  sha256: string;
  /** Equal images are stored once. */
  stored: InStatement;
}

/** Returns the hash of an image and the statement that stores it at `now`; null and nothing without an image. */
export async function storeImage(
  image: CheckedImage | null,
  now: number,
): Promise<StoredImage | { sha256: null; stored?: undefined }> {
  if (image === null) return { sha256: null };
  const sha256 = createHash("sha256").update(image.bytes).digest("hex");
  // Hashing 5 MB takes as long as writing them.
  await turnLoop();
  return { sha256, stored: statement(STORE, { ...image, sha256, now }) };
}
