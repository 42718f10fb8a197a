/** The argon2id work itself (RFC 9106), the same in the Worker and inline. */
import { argon2id, argon2Verify } from "hash-wasm";

export interface PasswordCost {
  memoryKiB: number;
  iterations: number;
}

/** `hash: null` costs the same as a comparison and gives false: an unknown user takes as long as a known one. */
export type PasswordTask =
  | { kind: "hash"; password: string; cost: PasswordCost }
  | { kind: "verify"; password: string; hash: string | null; cost: PasswordCost };

/** Returns a PHC string for a password, or compares it with one. @throws when the hash is not argon2 */
export async function computePassword(task: PasswordTask): Promise<string | boolean> {
  if (task.kind === "verify" && task.hash !== null) {
    return await argon2Verify({ password: task.password, hash: task.hash });
  }
  const hash = await argon2id({
    password: task.password,
    salt: crypto.getRandomValues(new Uint8Array(16)),
    memorySize: task.cost.memoryKiB,
    iterations: task.cost.iterations,
    parallelism: 1,
    hashLength: 32,
    outputType: "encoded",
  });
  return task.kind === "hash" ? hash : false;
}
