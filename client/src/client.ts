import { type Operations, ROUTES } from "./api.ts";

/** Where, as whom, and how often. */
export interface ShigurOptions {
  /** The address of the server, such as `https://shigur.example`. */
  url: string;
  /** An API key, `shg_live_…` or `shg_test_…`. */
  key: string;
  /** Tries of a call that may be repeated. @default 5 */
  tries?: number;
  /** Milliseconds for one try. @default 60000 */
  timeoutMs?: number;
  /** In place of the runtime's own. */
  fetch?: typeof fetch;
  /** Waits between tries; for tests. */
  sleep?: (ms: number) => Promise<void>;
}

/** What one call may have beside its parameters. */
export interface CallOptions {
  /** Names the act: the same key and body act once within 24 hours. By default a new one for each call. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** A call that was refused. */
export class ShigurError extends Error {
  override readonly name = "ShigurError";
  /** The HTTP status. */
  readonly status: number;
  /** A code for programs; unknown ones are treated by their status. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The names of the calls. */
export type Operation = keyof Operations;
/** What a call takes: `path`, `query`, and `body` or `form`. */
export type Input<Name extends Operation> = Omit<Operations[Name], "answer">;
/** What a call returns. */
export type Answer<Name extends Operation> = Operations[Name]["answer"];
/** A call whose answer is a page. */
export type PagedOperation = {
  [Name in Operation]: Extract<Answer<Name>, { items: unknown[]; nextCursor: unknown }> extends never ? never
    : Name;
}[Operation];
/** One item of a page. */
export type Item<Name extends PagedOperation> = Extract<Answer<Name>, { items: unknown[] }>["items"][number];

interface Parts {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: Record<string, unknown>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Calls the edge as one API key. */
export class Shigur {
  readonly #options: Required<Pick<ShigurOptions, "url" | "key" | "tries" | "timeoutMs" | "fetch" | "sleep">>;

  constructor(options: ShigurOptions) {
    this.#options = {
      tries: 5,
      timeoutMs: 60_000,
      fetch: globalThis.fetch.bind(globalThis),
      sleep: (ms: number) => new Promise((done) => setTimeout(done, ms)),
      ...options,
      url: options.url.replace(/\/+$/, ""),
    };
  }

  /**
   * Makes a call by its name in the API's description. A read, and an act that takes an Idempotency-Key, is tried again
   * after a lost answer, 429 and 5xx; so it acts once.
   *
   * @throws ShigurError for a refusal; what fetch() throws when the last try has no answer
   */
  async call<Name extends Operation>(
    name: Name,
    input: Input<Name>,
    options: CallOptions = {},
  ): Promise<Answer<Name>> {
    const { method, path, once } = ROUTES[name];
    const parts = input as Parts;
    const key = once ? options.idempotencyKey ?? crypto.randomUUID() : undefined;
    const tries = method === "GET" || once ? this.#options.tries : 1;
    for (let no = 1;; no++) {
      try {
        const answer = await this.#try(method, addressOf(path, parts), parts, key, options.signal);
        const wait = no < tries ? waitOf(answer, no) : null;
        if (wait === null) return await readAnswer(answer) as Answer<Name>;
        await answer.body?.cancel();
        await this.#options.sleep(wait);
      } catch (error) {
        if (error instanceof ShigurError || options.signal?.aborted || no >= tries) throw error;
        await this.#options.sleep(growing(no));
      }
    }
  }

  /** Yields the items of a list, page after page. */
  async *pages<Name extends PagedOperation>(
    name: Name,
    input: Input<Name>,
    options: CallOptions = {},
  ): AsyncGenerator<Item<Name>, void, undefined> {
    let cursor: unknown;
    do {
      const parts = input as Parts;
      const query = { ...parts.query, ...(cursor !== undefined && { cursor }) };
      const page = await this.call(name, { ...parts, query } as unknown as Input<Name>, options) as {
        items: Item<Name>[];
        nextCursor: unknown;
      };
      yield* page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async #try(
    method: string,
    address: string,
    { body, form }: Parts,
    key: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const late = AbortSignal.timeout(this.#options.timeoutMs);
    return await this.#options.fetch(this.#options.url + address, {
      method,
      headers: {
        authorization: `Bearer ${this.#options.key}`,
        ...(key !== undefined && { "idempotency-key": key }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      redirect: "error",
      signal: signal ? AbortSignal.any([signal, late]) : late,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form !== undefined && { body: toForm(form) }),
    });
  }
}

function addressOf(path: string, { path: names = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

function toForm(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.set(name, value);
    else form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return form;
}

/** Returns how long to wait before another try, or null when the answer is final. */
function waitOf(answer: Response, no: number): number | null {
  const { status } = answer;
  // 409 with Retry-After: the first try still runs.
  const after = Number(answer.headers.get("retry-after"));
  const isSoon = status === 429 || status === 503 || (status === 409 && after > 0);
  if (!isSoon && status < 500) return null;
  return after > 0 ? Math.min(after * 1_000, LONGEST_WAIT_MS) : growing(no);
}

function growing(no: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (no - 1), LONGEST_WAIT_MS) * (1 + Math.random() / 4);
}

async function readAnswer(answer: Response): Promise<unknown> {
  const isJson = answer.headers.get("content-type")?.includes("json") === true;
  if (answer.ok) {
    if (answer.status === 204) return undefined;
    return isJson ? await answer.json() : answer;
  }
  const body: { error?: string; code?: string } = isJson ? await answer.json().catch(() => ({})) : {};
  throw new ShigurError(answer.status, body.code ?? "unknown", body.error ?? `HTTP ${answer.status}`);
}
