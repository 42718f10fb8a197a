/** Alerts as JSON to an address that the operator chose. */
import { OutsideError, type OutsideMessage, type SendOutside } from "../context.ts";

const WITHIN_MS = 10_000;
/** A gateway says these about a receiver that may have the message. */
const GATEWAY_ANSWERS: readonly number[] = [502, 504];

/** Returns a sender by POST to `url`. The answer's status decides; its body is never read, and a redirect is a refusal. */
export function openWebhook(url: URL, withinMs: number = WITHIN_MS): SendOutside {
  return async (message) => {
    const over = AbortSignal.timeout(withinMs);
    let answer: Response;
    try {
      answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "shigur" },
        body: JSON.stringify(bodyOf(message)),
        redirect: "manual",
        signal: over,
      });
    } catch (error) {
      throw failureOf(error, over.aborted);
    }
    // The receiver may send without an end.
    await answer.body?.cancel().catch(() => {});
    if (!answer.ok) throw new OutsideError("refused", GATEWAY_ANSWERS.includes(answer.status), answer.status);
  };
}

/** `text` is what chat services show. */
function bodyOf({ title, step, places, url, ...facts }: OutsideMessage) {
  const text = [title, places.length > 0 && `אתרים: ${places.join(", ")}`, step, url].filter(Boolean).join(
    "\n",
  );
  return { source: "shigur", ...facts, title, step, places, url, text };
}

function failureOf(error: unknown, isLate: boolean): OutsideError {
  if (isLate) return new OutsideError("timeout", true);
  const chain = causesOf(error).join("\n");
  if (/certificate|tls|UnknownIssuer/i.test(chain)) return new OutsideError("tls", false);
  // Deno says so before anything of the request has left.
  if (/client error \(Connect\)|tcp connect error|dns error/i.test(chain)) {
    return new OutsideError("connect", false);
  }
  return new OutsideError("broken", true);
}

function causesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...causesOf(error.cause)] : [];
}
