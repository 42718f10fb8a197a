/** The result of one event on one journal row: the agent's half of the lease protocol as a pure function. */
import type { Outcome } from "shared/agent_protocol.ts";
import type { DeliveryReason } from "shared/delivery.ts";

export type RowState = "leased" | "tapping" | Outcome;

export type RowEvent =
  /** The edge's `go` lists the row, or answers the row's token without it (`goOmitted`). */
  | { type: "goListed" }
  | { type: "goOmitted" }
  /** The connection of the lease has ended, or a newer one has replaced it. */
  | { type: "connectionOver" }
  | { type: "processStarted" }
  /** The work has to go back: recall, drop, drain, end of validity, lost device or account. */
  | { type: "givenBack"; reason: DeliveryReason }
  /** The try failed before the tap, for a temporary cause. It counts as a retry. */
  | { type: "tryFailed"; reason: DeliveryReason }
  | { type: "failedForGood"; reason: DeliveryReason }
  /** Chat and draft are verified on the screen. */
  | { type: "readyToTap" }
  | { type: "provenSent" }
  /** Both looks after the tap's deadline agreed. Null = they proved nothing. */
  | { type: "lookedBack"; evidence: "sent" | "draft" | null; reason: DeliveryReason }
  | { type: "reportAcked" };

export type Decision =
  | { do: "nothing" }
  | { do: "takeGo" }
  | { do: "forget" }
  | { do: "move"; to: Exclude<RowState, "leased">; reason: DeliveryReason | null; temporary: boolean };

/**
 * Decides what an event does to a row in `state`, with or without the edge's `go`. Source: docs/protocol.md, "The
 * journal: state × event → action".
 */
export function decide(row: { state: RowState; hasGo: boolean }, event: RowEvent): Decision {
  switch (row.state) {
    case "leased":
      return decideLeased(row.hasGo, event);
    case "tapping":
      return decideTapping(event);
    case "sent":
    case "failed":
    case "unknown":
    case "void":
      return event.type === "reportAcked" ? { do: "forget" } : { do: "nothing" };
  }
}

function decideLeased(hasGo: boolean, event: RowEvent): Decision {
  switch (event.type) {
    case "goListed":
      // Once is enough: a second `go` would lengthen the time in which the row may be tapped.
      return hasGo ? { do: "nothing" } : { do: "takeGo" };
    case "goOmitted":
      return hasGo ? { do: "nothing" } : { do: "forget" };
    case "connectionOver":
      return hasGo ? { do: "nothing" } : move("void", "no_go");
    case "processStarted":
      return move("void", "agent_restarted");
    case "givenBack":
      return move("void", event.reason);
    case "tryFailed":
      return hasGo ? move("void", event.reason, true) : { do: "nothing" };
    case "failedForGood":
      return hasGo ? move("failed", event.reason) : { do: "nothing" };
    case "readyToTap":
      return hasGo ? move("tapping", null) : { do: "nothing" };
    case "provenSent":
    case "lookedBack":
    case "reportAcked":
      return { do: "nothing" };
  }
}

function decideTapping(event: RowEvent): Decision {
  if (event.type === "provenSent") return move("sent", null);
  if (event.type !== "lookedBack") return { do: "nothing" };
  if (event.evidence === "sent") return move("sent", null);
  // A tap without effect counts as a try: on a phone where taps never work, the tries have to run out.
  return event.evidence === "draft" ? move("void", event.reason, true) : move("unknown", event.reason);
}

function move(to: Exclude<RowState, "leased">, reason: DeliveryReason | null, temporary = false): Decision {
  return { do: "move", to, reason, temporary };
}
