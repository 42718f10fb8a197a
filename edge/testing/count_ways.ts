/** A database client that counts ways: what is asked at once goes one, what waits for an answer before it goes the next. */
import type { Client, Transaction } from "@libsql/client/web";

export interface CountedWays {
  db: Client;
  /** Ways one behind another since the last call. */
  taken(): number;
}

/** Wraps `db` as one that is far away: whatever is asked before an answer is there has not waited for it. */
export function countWays(db: Client): CountedWays {
  let answered = 0;

  async function go<T>(ask: () => Promise<T>): Promise<T> {
    const way = answered + 1;
    try {
      return await ask();
    } finally {
      // A near database answers within the turn that asks, before all is asked that does not wait for the answer.
      await new Promise((done) => setTimeout(done));
      answered = Math.max(answered, way);
    }
  }

  /** A remote transaction begins with its first statement. */
  const wrap = (tx: Transaction): Transaction =>
    counting(tx, ["execute", "batch", "executeMultiple", "commit", "rollback"]);

  /** `target`, with each of `calls` a way. */
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
      const ways = answered;
      answered = 0;
      return ways;
    },
  };
}
