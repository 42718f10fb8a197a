/**
 * A database client that counts round trips. Calls made together share one; a call made after an answer starts the
 * next.
 */
import type { Client, Transaction } from "@libsql/client/web";

export interface CountedRoundTrips {
  db: Client;
  /** Round trips in sequence since the last call. */
  taken(): number;
}

/** Wraps `db` as a distant database: a call made before an answer arrives has not waited for it. */
export function countRoundTrips(db: Client): CountedRoundTrips {
  let answered = 0;

  async function go<T>(ask: () => Promise<T>): Promise<T> {
    const roundTrip = answered + 1;
    try {
      return await ask();
    } finally {
      // A local database answers within the same turn. Wait one turn, so that all independent calls are made before
      // the answer counts.
      await new Promise((done) => setTimeout(done));
      answered = Math.max(answered, roundTrip);
    }
  }

  /** A remote transaction starts with its first statement. */
  const wrap = (tx: Transaction): Transaction =>
    counting(tx, ["execute", "batch", "executeMultiple", "commit", "rollback"]);

  /** Returns `target`; each of `calls` counts as a round trip. */
  function counting<T extends object>(target: T, calls: (keyof T)[]): T {
    return new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        const call = value.bind(target);
        if (!calls.includes(name as keyof T)) return call;
        return (...args: unknown[]) => go(() => call(...args));
      },
    });
  }

  const counted = counting(db, ["execute", "batch", "executeMultiple"]);
  const transaction: Client["transaction"] = async (mode?: "write") => wrap(await db.transaction(mode));
  return {
    db: new Proxy(counted, {
      get: (target, name) => name === "transaction" ? transaction : Reflect.get(target, name),
    }),
    taken() {
      const roundTrips = answered;
      answered = 0;
      return roundTrips;
    },
  };
}
