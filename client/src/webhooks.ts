import type { WebhookBody } from "./api.ts";

/** A call that is not from the edge, or not for you, or too old. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

/** What came, before anything of it is believed. */
export interface WebhookCall {
  /** The body exactly as it came, not parsed and written again. */
  body: string;
  /** `Headers`, or an object as Node's `request.headers`. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The webhook's secret, `whsec_…`; several while it is being replaced. */
  secret: string | readonly string[];
  /** Seconds by which clocks may differ, and a try may be late. @default 300 */
  toleranceSeconds?: number;
  /** The time in milliseconds; for tests. */
  now?: number;
}

/** One event: of a batch, or a call of its own. */
export type WebhookEvent = Exclude<WebhookBody, { type: "message.batch" }> | BatchedEvent;
type BatchedEvent = Extract<WebhookBody, { type: "message.batch" }>["data"]["events"][number];

/**
 * Checks the signature of Standard Webhooks 1.0.0 and returns the body.
 *
 * @throws WebhookError when no secret signed it, or the time is too far away
 */
export async function verifyWebhook(
  { body, headers, secret, toleranceSeconds = 300, now = Date.now() }: WebhookCall,
): Promise<WebhookBody> {
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== "string" || value === "") throw new WebhookError(`The header ${name} is missing`);
    return value;
  };
  const [id, timestamp, signatures] = [
    read("webhook-id"),
    read("webhook-timestamp"),
    read("webhook-signature"),
  ];
  const age = now / 1_000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > toleranceSeconds) {
    throw new WebhookError("The call is too old, or from the future");
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const one of [secret].flat()) {
    const key = await crypto.subtle.importKey(
      "raw",
      fromBase64(String(one).replace(/^whsec_/, "")),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"],
    );
    for (const signature of signatures.split(" ")) {
      const [version, text = ""] = signature.split(",");
      // verify() compares in a time that tells nothing.
      if (version === "v1" && await crypto.subtle.verify("HMAC", key, fromBase64(text), signed)) {
        return JSON.parse(body) as WebhookBody;
      }
    }
  }
  throw new WebhookError("The signature is wrong");
}

/** Returns the events of a call, one or many, each with an id that stays the same at every try. */
export function eventsOf(body: WebhookBody): WebhookEvent[] {
  return body.type === "message.batch" ? body.data.events : [body as WebhookEvent];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    throw new WebhookError("A secret or a signature is not Base64");
  }
}
