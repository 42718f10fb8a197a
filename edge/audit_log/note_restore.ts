import type { ChainParts, EdgeContext } from "../context.ts";
import { NO_HEAD, signHead } from "./chain.ts";

/**
 * Says outside the database, where only who holds the key can tell it, that it came from a backup: the rows that were
 * lost with it are missed no more. To be called when the database stands in its place, and not before: of one that was
 * not restored after all, rows would be missed in silence.
 */
export async function noteRestore(
  { audit, now }: Pick<EdgeContext, "now"> & { audit: ChainParts },
): Promise<void> {
  await audit.heads.append(signHead(audit.sealKeys[0], { ...NO_HEAD, at: now(), restored: true }));
}
