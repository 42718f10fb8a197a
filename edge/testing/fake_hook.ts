/** A receiver of webhooks that a test tells how to lie. */
import { webhookBodySchema } from "shared/webhook_body.ts";
import { Webhook } from "standardwebhooks";

export interface HookCall {
  id: string;
  /** The signed time in seconds. */
  at: number;
  // deno-lint-ignore no-explicit-any -- a test reads whatever came
  body: any;
  headers: Headers;
  path: string;
  raw: string;
}

export interface FakeHook extends AsyncDisposable {
  url: string;
  port: number;
  /** Every call that came, whatever was answered. */
  calls: HookCall[];
  /** The calls that were answered with a yes. */
  taken: HookCall[];
  /** Ids of events, in order, of what was taken. */
  eventIds(): string[];
}

/** Answers; null = closes the connection without an answer. */
export type HookAnswer = (call: HookCall, no: number) => Response | Promise<Response>;

/** Starts one on this machine. */
export function startHook(answer: HookAnswer = () => new Response(null, { status: 204 })): FakeHook {
  const calls: HookCall[] = [];
  const taken: HookCall[] = [];
  const where = { hostname: "127.0.0.1", port: 0 };
  const onError = () => new Response(null, { status: 500 });
  const server = Deno.serve({ ...where, onListen() {}, onError }, async (request) => {
    const raw = await request.text();
    const { pathname, search } = new URL(request.url);
    const call = {
      id: request.headers.get("webhook-id") ?? "",
      at: Number(request.headers.get("webhook-timestamp")),
      body: raw === "" ? null : JSON.parse(raw),
      headers: request.headers,
      path: pathname + search,
      raw,
    };
    calls.push(call);
    const given = await answer(call, calls.length);
    if (given.ok) taken.push(call);
    return given;
  });
  const { port } = server.addr;
  return {
    url: `http://127.0.0.1:${port}/hook?for=test`,
    port,
    calls,
    taken,
    eventIds: () => taken.flatMap(eventsOf).map(({ id }) => id),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Returns the events of a call, one or many. */
export function eventsOf({ body }: HookCall): { id: string; type: string; data: Record<string, unknown> }[] {
  return body.type === "message.batch" ? body.data.events : [body];
}

/** Checks a call's body and signature as receivers do, at the time of the call; throws when one does not hold. */
export function checkByStandard({ raw, headers, at, body }: HookCall, secret: string): void {
  webhookBodySchema.parse(body);
  const now = Date.now;
  // The library asks the machine's clock, and tests have their own.
  Date.now = () => at * 1_000;
  try {
    new Webhook(secret).verify(raw, Object.fromEntries(headers));
  } finally {
    Date.now = now;
  }
}
