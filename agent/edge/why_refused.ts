/** Asks an address again by a plain request why it took no WebSocket: the socket's error hides part of the reason. */
import { agentUnauthorizedSchema } from "shared/agent_protocol.ts";
import { type EdgeLost, lostByError, lostByStatus } from "./edge_lost.ts";
import { GAP_ADVICE, protocolGap } from "./protocol_gap.ts";
import type { TokenSigner } from "./token.ts";

const ANSWERED_WITHIN_MS = 10_000;
/** The headers and body of these answers hold the reason. Any other status is the whole reason. */
const WITH_REASON = [401, 426];
/** A proxy in between may send an endless answer. */
const MAX_ANSWER_CHARS = 64 * 1024;

export interface Refused {
  url: URL;
  tokens: TokenSigner;
}

/** Returns the cause of a try that opened no connection: `lost` itself if the socket gave a cause. */
export async function askWhyRefused(
  lost: EdgeLost,
  { url, tokens }: Refused,
  signal: AbortSignal,
): Promise<EdgeLost> {
  // The socket has one text for a refused port, a silent host and an unreachable network: "tcp connect error".
  const isUnknown = lost.cause === "unknown";
  const hasReason = lost.status !== undefined && WITH_REASON.includes(lost.status);
  if (!isUnknown && !hasReason) return lost;
  const asked = new URL(url);
  asked.protocol = asked.protocol === "wss:" ? "https:" : "http:";
  try {
    const response = await fetch(asked, {
      // Send a token only to an edge that has answered.
      headers: hasReason ? { authorization: `Bearer ${await tokens.sign()}` } : {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWERED_WITHIN_MS)]),
      redirect: "manual",
    });
    if (hasReason) return lostByAnswer(response, await readShortJson(response), tokens);
    await response.body?.cancel();
    return lost;
  } catch (error) {
    const found = lostByError(error);
    return found.cause === "unknown" ? lost : found;
  }
}

/** Returns the JSON of an answer; null when it is not JSON, or longer than an edge's refusal. */
async function readShortJson({ body }: Response): Promise<unknown> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the body.
    if (text.length > MAX_ANSWER_CHARS) return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function lostByAnswer({ status, headers }: Response, body: unknown, tokens: TokenSigner): EdgeLost {
  if (status === 401) {
    const refused = agentUnauthorizedSchema.safeParse(body);
    if (refused.success) tokens.learnServerTime(refused.data.serverTime);
    return { cause: "token_refused", why: "edge refused this site's token", status };
  }
  const gap = protocolGap(headers.get("sec-websocket-protocol"));
  if (gap !== null) return { cause: gap, why: GAP_ADVICE[gap], status };
  // An edge of our version answers 426 only to a plain request: something between us removes the upgrade.
  return status === 426
    ? { cause: "no_upgrade", why: "a proxy takes the WebSocket's upgrade away", status }
    : lostByStatus(status);
}
