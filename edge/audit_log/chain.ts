/** Calculates the chain: the hash of a row over the previous one, and the keyed seals of rows and heads. */
import { createHash, createHmac } from "node:crypto";
import { z } from "zod";
import type { auditLog } from "../db/schema.ts";
import { isSameText } from "../keys/same_text.ts";

/** The hash before the first row. */
export const GENESIS = createHash("sha256").update("shigur audit log").digest("hex");

/** Returns the SHA-256 of the previous hash and the row, in hexadecimal. */
export function hashRow(before: string, row: typeof auditLog.$inferSelect): string {
  const { id, at, kind, actor, actorName, campaign, site, device, user, data } = row;
  const content = JSON.stringify([id, at, kind, actor, actorName, campaign, site, device, user, data]);
  return createHash("sha256").update(`${before}\n${content}`).digest("hex");
}

/** Returns the keyed seal of a row's hash; making it requires the key. */
export function sealRow(key: Uint8Array, hash: string): string {
  return mac(key, "row", hash);
}

const headSchema = z.object({
  /** Number of rows sealed so far, the id of the last of them, and its hash. */
  count: z.int(),
  last: z.int(),
  hash: z.string(),
  at: z.int(),
  /** A backup was restored: rows named by earlier heads may be missing. */
  restored: z.literal(true).optional(),
  /** The signer found the rows up to here good, whatever key sealed them. */
  vouched: z.literal(true).optional(),
});
export type Head = z.infer<typeof headSchema>;

export const NO_HEAD: Head = { count: 0, last: 0, hash: GENESIS, at: 0 };

/** Returns a head as a signed line of text. */
export function signHead(key: Uint8Array, head: Head): string {
  return JSON.stringify({ ...head, mac: mac(key, "head", JSON.stringify(head)) });
}

/** Returns the head of a line, or null when none of `keys` signed it. */
export function readHead(keys: readonly Uint8Array[], line: string): Head | null {
  try {
    const { mac: given, ...head } = headSchema.extend({ mac: z.string() }).parse(JSON.parse(line));
    const text = JSON.stringify(head);
    return keys.some((key) => isSameText(given, mac(key, "head", text))) ? head : null;
  } catch {
    return null;
  }
}

/** Signs the stored result of a check, so that only the key's holder can claim a good one. */
export function signText(key: Uint8Array, text: string): string {
  return mac(key, "check", text);
}

function mac(key: Uint8Array, use: string, text: string): string {
  return createHmac("sha256", key).update(`${use}\n${text}`).digest("base64url");
}

/** The progress of a check. */
export interface CheckPlace {
  /** Number of rows found good: all rows before `next`. */
  rows: number;
  next: number;
  /** Hash of the row before `next`. */
  before: string;
}
