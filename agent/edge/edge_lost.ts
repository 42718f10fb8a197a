/** Why a connection to the edge ended or never came about: one closed word and the text behind it. */
import { NETWORK_CAUSES, networkCause } from "shared/network_cause.ts";
import { CLOSE } from "shared/agent_protocol.ts";
import { errorText } from "../log.ts";

export const EDGE_LOST_CAUSES = [
  ...NETWORK_CAUSES,
  /** Something answered the upgrade with `status`: a proxy, or an edge that is starting or ending. */
  "http_status",
  /** A proxy takes the upgrade away: the edge hears a plain request. */
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
  /** Nothing was heard on an open connection for too long. */
  "silent",
  "ended_here",
  "unknown",
] as const;
export type EdgeLostCause = (typeof EDGE_LOST_CAUSES)[number];

export interface EdgeLost {
  cause: EdgeLostCause;
  why: string;
  /** Of an HTTP answer. */
  status?: number;
  /** Of a closed WebSocket. */
  code?: number;
}

/** Returns why a try or a connection failed, as far as its error says. */
export function lostByError(error: unknown): EdgeLost {
  // "error sending request for url (…): client error (Connect): invalid peer certificate: Expired": its end is of use.
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

/** RFC 6455 section 7.4.1: the edge was told to stop, and says so. */
const GOING_AWAY = 1001;
/** What tries meet while an edge is started again. */
const MET_IN_A_RESTART: readonly EdgeLostCause[] = ["refused", "cut", "http_status"];

export function isGoingAway({ code }: EdgeLost): boolean {
  return code === GOING_AWAY;
}

/** Whether this is no fault while an edge that said goodbye is away. */
export function belongsToRestart(lost: EdgeLost): boolean {
  return isGoingAway(lost) || MET_IN_A_RESTART.includes(lost.cause);
}

/** Returns why an open connection was closed by the other side. */
export function lostByClose(code: number, reason: string): EdgeLost {
  const cause = code === CLOSE.superseded ? "superseded" : code === CLOSE.revoked ? "revoked" : "closed";
  return { cause, why: `closed with ${code} ${reason}`.trim(), code };
}
