import type { ChainParts, EdgeContext } from "../context.ts";
import { NO_HEAD, signHead } from "./chain.ts";

/**
 * Records outside the database, signed with the key, that it came from a backup: the check no longer misses the lost
 * rows. Call it only when the restored database is in place. Earlier, a restore that then fails would hide missing
 * rows of the old database.
 */
export async function noteRestore(
  { audit, now }: Pick<EdgeContext, "now"> & { audit: ChainParts },
): Promise<void> {
  await audit.heads.append(signHead(audit.sealKeys[0], { ...NO_HEAD, at: now(), restored: true }));
}
