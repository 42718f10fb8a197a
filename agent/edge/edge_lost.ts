/** Why a connection to the edge ended or was never opened: one closed word and its text. */
import { NETWORK_CAUSES, networkCause } from "shared/network_cause.ts";
import { CLOSE } from "shared/agent_protocol.ts";
import { errorText } from "../log.ts";

const EDGE_LOST_CAUSES = [
  ...NETWORK_CAUSES,
  /** The upgrade was answered with `status`: by a proxy, or by an edge that is starting or ending. */
  "http_status",
  /** A proxy removes the upgrade: the edge receives a plain request. */
  "no_upgrade",
  /** The edge refuses this site's key. */
  "token_refused",
  "agent_older",
  "edge_older",
  /** An open connection was closed with `code`. */
  "closed",
  "revoked",
  /** Another agent with this site's key has connected. */
  "superseded",
  /** Nothing arrived on an open connection for too long. */
  "silent",
  "ended_here",
  "unknown",
] as const;
export type EdgeLostCause = (typeof EDGE_LOST_CAUSES)[number];

export interface EdgeLost {
  cause: EdgeLostCause;
  why: string;
  /** Status of an HTTP answer. */
  status?: number;
  /** Code of a closed WebSocket. */
  code?: number;
}

/** Returns why a try or a connection failed, as far as its error shows it. */
export function lostByError(error: unknown): EdgeLost {
  // Of "error sending request for url (…): client error (Connect): invalid peer certificate: Expired", keep the end.
  const why = errorText(error).replace(
    /^NetworkError: failed to connect to WebSocket: |^.*client error \(\w+\): /,
    "",
  );
  const status = Number(/^Invalid status code: (\d{3})$/.exec(why)?.[1]);
  return status > 0 ? lostByStatus(status) : { cause: networkCause(error) ?? "unknown", why };
}

export function lostByStatus(status: number): EdgeLost {
  return { cause: "http_status", why: `edge answered ${status}`, status };
}

/** RFC 6455 section 7.4.1: the edge stops on purpose, and closes with this code. */
const GOING_AWAY = 1001;
/** The causes with which tries fail while an edge starts again. */
const MET_IN_A_RESTART: readonly EdgeLostCause[] = ["refused", "cut", "http_status"];

export function isGoingAway({ code }: EdgeLost): boolean {
  return code === GOING_AWAY;
}

/** Returns whether this loss is normal while an edge that stopped on purpose is away. */
export function belongsToRestart(lost: EdgeLost): boolean {
  return isGoingAway(lost) || MET_IN_A_RESTART.includes(lost.cause);
}

/** Returns why the other side closed an open connection. */
export function lostByClose(code: number, reason: string): EdgeLost {
  const cause = code === CLOSE.superseded ? "superseded" : code === CLOSE.revoked ? "revoked" : "closed";
  return { cause, why: `closed with ${code} ${reason}`.trim(), code };
}
