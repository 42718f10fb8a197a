/** Returns which side needs an update when edge and agent share no version of their protocol. */
import { AGENT_SUBPROTOCOL } from "shared/agent_protocol.ts";

export type ProtocolGap = "agent_older" | "edge_older";

/**
 * Compares our version with those that an edge names in its 426 (header sec-websocket-protocol). Returns null when ours
 * is among them, or the edge names none.
 */
export function protocolGap(spokenByEdge: string | null): ProtocolGap | null {
  const theirs = (spokenByEdge ?? "").split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (theirs.length === 0 || theirs.includes(AGENT_SUBPROTOCOL)) return null;
  return newest(theirs) > newest([AGENT_SUBPROTOCOL]) ? "agent_older" : "edge_older";
}

/** The remedy, for logs and status. */
export const GAP_ADVICE: Record<ProtocolGap, string> = {
  agent_older: "this agent is too old for its edge: install it again with the edge's install line",
  edge_older: "the edge is too old for this agent: its operator has to update it",
};

function newest(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(/\.v(\d+)$/.exec(name)?.[1] ?? 0)));
}
