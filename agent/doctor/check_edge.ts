/** The way to the edge, step by step: name, port, certificate, readiness, clock, key, protocol. */
import { agentUnauthorizedSchema } from "shared/agent_protocol.ts";
import type { Identity } from "../identity.ts";
import { errorText } from "../log.ts";
import { protocolGap } from "../protocol_gap.ts";
import { TokenSigner } from "../token.ts";
import { type Finding, finding } from "./words.ts";

const TIMEOUT_MS = 10_000;
/** An answer's date has whole seconds, and the answer was under way; a minute keeps TLS and sending hours right. */
const CLOCK_MS = 60_000;

export interface EdgeCheck {
  edgeUrl: string;
  identity: Identity | null;
  now: () => number;
  newId: () => string;
}

/** Asks the edge as far as the way is open; opens no site's connection. */
export async function checkEdge(check: EdgeCheck, stop: AbortSignal): Promise<Finding[]> {
  const { edgeUrl, identity, now } = check;
  const closed = await checkPort(new URL(edgeUrl));
  if (closed) return [closed];
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

async function checkPort(url: URL): Promise<Finding | null> {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  // Deno wants an address of version 6 without its brackets.
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  try {
    (await Deno.connect({ hostname, port, signal: AbortSignal.timeout(TIMEOUT_MS) })).close();
    return null;
  } catch (error) {
    const isName = /lookup|resolve|name or service|nodename/i.test(errorText(error));
    return finding(isName ? "edge_name_unknown" : "edge_refused", { host: url.host });
  }
}

function fetchFailed(edgeUrl: string, error: unknown): Finding {
  // "error sending request for url (…): client error (Connect): invalid peer certificate: Expired": its end is of use.
  const why = errorText(error).replace(/^.*client error \(\w+\): /, "");
  const isTls = /certificate|handshake|corrupt message|\btls\b|\bssl\b/i.test(why);
  return isTls
    ? finding("edge_tls", { host: new URL(edgeUrl).host, why })
    : finding("edge_unreachable", { url: edgeUrl, why });
}

function clockFinding(offMs: number): Finding {
  return offMs > CLOCK_MS ? finding("clock_off", { seconds: Math.round(offMs / 1000) }) : finding("clock_ok");
}

/** A plain request to the socket's door is told our versions and whether the key is good, and connects nothing. */
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
      // The first one was signed in this machine's time.
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
