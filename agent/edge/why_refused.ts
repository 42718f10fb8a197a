/** Asks an address once more, by a plain request, why it took no WebSocket: sockets hide part of it. */
import { agentUnauthorizedSchema } from "shared/agent_protocol.ts";
import { type EdgeLost, lostByError, lostByStatus } from "./edge_lost.ts";
import { GAP_ADVICE, protocolGap } from "./protocol_gap.ts";
import type { TokenSigner } from "./token.ts";

const ANSWERED_WITHIN_MS = 10_000;
/** Answers whose headers and body say more; any other status says all of it. */
const TELLING = [401, 426];
/** What stands between may answer without an end. */
const MAX_ANSWER_CHARS = 64 * 1024;

export interface Refused {
  url: URL;
  tokens: TokenSigner;
}

/** Returns the cause of a try that opened no connection: `lost` itself where the socket has told it. */
export async function askWhyRefused(
  lost: EdgeLost,
  { url, tokens }: Refused,
  signal: AbortSignal,
): Promise<EdgeLost> {
  // A refused port, a silent host and an unreachable network are one text of the socket's: "tcp connect error".
  const isUnknown = lost.cause === "unknown";
  const isTelling = lost.status !== undefined && TELLING.includes(lost.status);
  if (!isUnknown && !isTelling) return lost;
  const asked = new URL(url);
  asked.protocol = asked.protocol === "wss:" ? "https:" : "http:";
  try {
    const response = await fetch(asked, {
      // Only an edge that has answered is shown a token.
      headers: isTelling ? { authorization: `Bearer ${await tokens.sign()}` } : {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWERED_WITHIN_MS)]),
      redirect: "manual",
    });
    if (isTelling) return lostByAnswer(response, await readShortJson(response), tokens);
    await response.body?.cancel();
    return lost;
  } catch (error) {
    const found = lostByError(error);
    return found.cause === "unknown" ? lost : found;
  }
}

/** The JSON of an answer; null when it is none, or longer than an edge's refusal is. */
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
  // An edge that speaks our version answers 426 to a plain request alone: something between them is at fault.
  return status === 426
    ? { cause: "no_upgrade", why: "a proxy takes the WebSocket's upgrade away", status }
    : lostByStatus(status);
}
