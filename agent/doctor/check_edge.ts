/** Checks the connection to the edge step by step: name, port, certificate, readiness, clock, key, protocol. */
import { agentUnauthorizedSchema } from "shared/agent_protocol.ts";
import { CLOCKS_APART_MS } from "shared/clock_watch.ts";
import { lostByError } from "../edge/edge_lost.ts";
import type { Identity } from "../edge/identity.ts";
import { protocolGap } from "../edge/protocol_gap.ts";
import { TokenSigner } from "../edge/token.ts";
import { type Finding, finding } from "./words.ts";

const TIMEOUT_MS = 10_000;

export interface EdgeCheck {
  edgeUrl: string;
  identity: Identity | null;
  now: () => number;
  newId: () => string;
}

/** Checks each step until one fails. Opens no connection of the site. */
export async function checkEdge(check: EdgeCheck, stop: AbortSignal): Promise<Finding[]> {
  const { edgeUrl, identity, now } = check;
  let response: Response;
  try {
    response = await fetch(new URL("/readyz", edgeUrl), { signal: bounded(stop), redirect: "manual" });
    await response.body?.cancel();
  } catch (error) {
    return [fetchFailed(edgeUrl, error)];
  }
  if (!response.ok) return [finding("edge_unwell", { url: edgeUrl, status: response.status })];
  const findings = [finding("edge_ok", { url: edgeUrl })];
  const edgeNow = Date.parse(response.headers.get("date") ?? "");
  if (!Number.isNaN(edgeNow)) findings.push(clockFinding(Math.abs(edgeNow - now())));
  if (identity) findings.push(...await checkKey(check, identity, stop));
  return findings;
}

/** Returns the network's error in the words of `edge_lost`. */
function fetchFailed(edgeUrl: string, error: unknown): Finding {
  const { host } = new URL(edgeUrl);
  const { cause, why } = lostByError(error);
  const facts = { cause, host, url: edgeUrl, why };
  if (cause === "dns") return finding("edge_name_unknown", facts);
  if (cause === "refused") return finding("edge_refused", facts);
  return finding(cause.startsWith("tls") ? "edge_tls" : "edge_unreachable", facts);
}

function clockFinding(offMs: number): Finding {
  return offMs > CLOCKS_APART_MS
    ? finding("clock_off", { seconds: Math.round(offMs / 1000) })
    : finding("clock_ok");
}

/**
 * A plain request to the socket's path connects nothing. Its answer shows the edge's versions and whether the key is
 * good.
 */
async function checkKey(
  { edgeUrl, now, newId }: EdgeCheck,
  identity: Identity,
  stop: AbortSignal,
): Promise<Finding[]> {
  const tokens = new TokenSigner(identity, { now, newId });
  const ask = async () =>
    await fetch(new URL("/agent/ws", edgeUrl), {
      headers: { authorization: `Bearer ${await tokens.sign()}` },
      signal: bounded(stop),
      redirect: "manual",
    });
  try {
    let response = await ask();
    if (response.status === 401) {
      // The first token was signed in this machine's time.
      const refused = agentUnauthorizedSchema.safeParse(await response.json().catch(() => null));
      if (refused.success) tokens.learnServerTime(refused.data.serverTime);
      response = await ask();
    }
    await response.body?.cancel();
    if (response.status === 401) return [finding("site_refused")];
    const gap = protocolGap(response.headers.get("sec-websocket-protocol"));
    return [finding("site_known"), ...(gap === null ? [] : [finding(gap)])];
  } catch (error) {
    return [fetchFailed(edgeUrl, error)];
  }
}

function bounded(stop: AbortSignal): AbortSignal {
  return AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
}
