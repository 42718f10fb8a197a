/**
 * Stored passwords: argon2id, one at a time, in a Worker that exists while there is work, where the runtime has
 * Workers.
 */
import { HttpError } from "../http/http_error.ts";
import { computePassword, type PasswordCost, type PasswordTask } from "./password_task.ts";

/** OWASP's password storage cheat sheet: argon2id with 19 MiB, two passes, one lane. */
const PASSWORD_COST: PasswordCost = { memoryKiB: 19_456, iterations: 2 };

/** Most waiting strangers; the next one is refused. At about 80 ms each the queue is four seconds long. */
const MAX_WAITING = 50;
/** Further places for known people, so that strangers who fill the queue cannot shut them out. */
const KEPT_FOR_KNOWN = 10;

export interface Passwords {
  /** Returns a PHC string with its own salt. */
  hash(password: string): Promise<string>;
  /** Returns whether `password` made `hash`; null (no such user) gives false after the same work. */
  verify(hash: string | null, password: string, from?: { isKnown: boolean }): Promise<boolean>;
  /** Ends the Worker, and with it the current work. */
  close(): void;
}

export interface PasswordsOptions {
  cost?: PasswordCost;
  /** @default false where the runtime has Workers */
  inline?: boolean;
}

/**
 * Opens the hashing queue; both calls throw `too_many_attempts` when it is full. Known people (logged in, or at a
 * usual place of the account) have places that strangers cannot fill. Only they hash new passwords.
 */
export function openPasswords(options: PasswordsOptions = {}): Passwords {
  const cost = options.cost ?? PASSWORD_COST;
  const worker = options.inline || !("Worker" in globalThis) ? undefined : openWorker();
  const compute = worker?.compute ?? computePassword;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function inTurn(task: PasswordTask, isKnown: boolean): Promise<string | boolean> {
    const most = MAX_WAITING + (isKnown ? KEPT_FOR_KNOWN : 0);
    if (waiting >= most) throw new HttpError("too_many_attempts", { headers: { "retry-after": "5" } });
    waiting++;
    const turn = last.then(() => compute(task));
    last = turn.catch(() => {});
    return await turn.finally(() => --waiting === 0 && worker?.close());
  }

  return {
    hash: async (password) => String(await inTurn({ kind: "hash", password, cost }, true)),
    verify: async (hash, password, from) =>
      await inTurn({ kind: "verify", password, hash, cost }, from?.isKnown === true) === true,
    close: () => worker?.close(),
  };
}

/** Starts a Worker while there is work: it takes about 40 MB and starts within 20 ms. */
function openWorker() {
  const open = new Map<number, PromiseWithResolvers<string | boolean>>();
  let worker: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL("./password_worker.ts", import.meta.url), { type: "module" });
    started.onmessage = (
      { data }: MessageEvent<{ id: number; result?: string | boolean; error?: string }>,
    ) => {
      const answer = open.get(data.id);
      open.delete(data.id);
      if (data.result === undefined) answer?.reject(new Error(data.error));
      else answer?.resolve(data.result);
    };
    started.onerror = (event) => {
      event.preventDefault();
      for (const answer of open.values()) answer.reject(new Error(event.message));
      open.clear();
      close();
    };
    return started;
  }

  function close(): void {
    worker?.terminate();
    worker = null;
  }

  return {
    compute(task: PasswordTask): Promise<string | boolean> {
      const id = ++lastId;
      const answer = Promise.withResolvers<string | boolean>();
      open.set(id, answer);
      worker ??= start();
      worker.postMessage({ id, task });
      return answer.promise;
    },
    close,
  };
}
