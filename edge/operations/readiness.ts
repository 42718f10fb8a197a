/** Whether this instance should get work: the database answers, has our tables, and the instance is not stopping. */
import type { Client } from "@libsql/client/web";
import { IS_BACKUP_COPY } from "../db/copy_mark.ts";
import { ChangedMigrationError, isUpToDate, type Schema } from "../db/migrate.ts";
import { inTime } from "./in_time.ts";

type Fault = "database" | "migrations" | "backup" | null;

const COPY = `SELECT 1 WHERE ${IS_BACKUP_COPY}`;

export interface Readiness {
  /** Returns why no work should come here now, or null. */
  refusal(): Promise<"stopping" | Fault>;
  /** The database's error at the last check; null = it answered, or gave no answer in time. */
  readonly failure: unknown;
  /** From now on this instance accepts no work. */
  stop(): void;
  readonly isStopping: boolean;
}

export interface ReadinessParts {
  db: Client;
  schema: Schema;
  /** Monotonic, in milliseconds. */
  clock(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Anybody may call it: in this time the database gets one query for any number of calls. */
export const READINESS_KEPT_MS = 500;

/** Returns the readiness. A stop shows at once, the database's state at most `READINESS_KEPT_MS` late. */
export function createReadiness({ db, schema, clock, sleep }: ReadinessParts): Readiness {
  let isStopping = false;
  let failure: unknown = null;
  let last: { answer: Promise<Fault>; until: number } | null = null;

  async function ask(): Promise<Fault> {
    failure = null;
    const asked = look().catch((error) => {
      if (error instanceof ChangedMigrationError) return "migrations" as const;
      failure = error;
      return "database" as const;
    });
    return await inTime(sleep, asked, "database" as const);
  }

  async function look(): Promise<Fault> {
    if (!await isUpToDate(db, schema)) return "migrations";
    return (await db.execute(COPY)).rows.length > 0 ? "backup" : null;
  }

  /** Returns the running or recent result, else starts the next check. */
  function shared(): Promise<Fault> {
    if (last !== null && clock() < last.until) return last.answer;
    const one = { answer: ask(), until: Infinity };
    one.answer.then(() => one.until = clock() + READINESS_KEPT_MS);
    last = one;
    return one.answer;
  }

  return {
    async refusal() {
      const fault = isStopping ? null : await shared();
      return isStopping ? "stopping" : fault;
    },
    stop: () => void (isStopping = true),
    get failure() {
      return failure;
    },
    get isStopping() {
      return isStopping;
    },
  };
}
