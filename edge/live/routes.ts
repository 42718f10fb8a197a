/** The route of the live channel. A new socket gets no earlier events: the page loads everything again. */
import type { CallRate } from "../auth/call_rate.ts";
import { requireUser } from "../auth/require_user.ts";
import { requireSession } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { AttemptCode, SawAttempt } from "../http/attempts.ts";
import { createRouter } from "../http/router.ts";
import { HANDSHAKE_HEADERS, isHandshake } from "../http/web_socket_handshake.ts";
import { BROWSER_CLOSE, type BrowserHub } from "./browser_hub.ts";
import type { Tail } from "./tail.ts";

export interface LiveSockets {
  browsers: BrowserHub;
  tail: Pick<Tail, "join">;
  /** Counts a page's messages as calls of its user; absent = nothing is counted. */
  callRate?: CallRate;
  sawAttempt?: SawAttempt;
}

/** More tabs than a person looks at; a refused page polls every few seconds instead. */
export const MAX_SOCKETS_OF_USER = 100;
const MAX_FRAME_CHARS = 1024;
/** RFC 6455 section 7.4.1: a message too big to process. */
const TOO_BIG = 1009;
/** Seconds without a sign of life after which a socket counts as dead; Deno sends pings by itself. */
const IDLE_TIMEOUT_SECONDS = 30;

/**
 * Returns GET /ws. Foreign origins and visitors are refused before the upgrade, foreign origins by originGuard().
 *
 * @throws {HttpError} `not_logged_in`, `upgrade_required`, `too_many_attempts`
 */
export function liveRoutes(ctx: EdgeContext, { browsers, tail, callRate, sawAttempt }: LiveSockets) {
  return createRouter().get("/ws", requireUser(), async (c) => {
    if (!isHandshake(c)) throw new HttpError("upgrade_required", { headers: HANDSHAKE_HEADERS });
    const user = c.get("user");
    const leave = await tail.join();
    try {
      // Check again: this socket would never get the event of a logout committed before join().
      await requireSession(ctx, user);
      if (browsers.countOf(user.person) >= MAX_SOCKETS_OF_USER) throw new HttpError("too_many_attempts");
      const { socket, response } = Deno.upgradeWebSocket(c.req.raw, { idleTimeout: IDLE_TIMEOUT_SECONDS });
      browsers.add(socket, user);
      const refuse = (code: AttemptCode, closeCode: number) => {
        sawAttempt?.({ code, user: user.person, path: "/ws" });
        socket.close(closeCode);
      };
      socket.onmessage = ({ data }) => {
        // Messages that were already under way when the socket closed.
        if (socket.readyState !== WebSocket.OPEN) return;
        if (!isFrame(data)) return refuse("bad_frame", TOO_BIG);
        if (callRate && callRate.take(user.person) > 0) {
          return refuse("too_many_attempts", BROWSER_CLOSE.tooMany);
        }
        answer(data, (text) => browsers.send(socket, text));
      };
      socket.onclose = () => {
        browsers.remove(socket);
        leave();
      };
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  });
}

function isFrame(data: unknown): data is string {
  return typeof data === "string" && data.length <= MAX_FRAME_CHARS;
}

/** Answers a ping in its own form; ignores every other message of a page. */
function answer(data: string, send: (text: string) => void): void {
  if (data === "ping") send("pong");
  else if (data.startsWith('{"type":"ping"')) send('{"type":"pong"}');
}
