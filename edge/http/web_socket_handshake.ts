import type { Context } from "hono";

/**
 * The headers of a 426 response that name the expected handshake (RFC 9110 section 15.5.22, RFC 6455 section 4.2.2).
 */
export const HANDSHAKE_HEADERS = { upgrade: "websocket", "sec-websocket-version": "13" };

/** Sixteen bytes in base64 (RFC 6455 section 4.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/** Returns whether a request is a complete WebSocket handshake: the runtime throws at an incomplete one. */
export function isHandshake(c: Context): boolean {
  const isUpgrade = c.req.header("upgrade")?.toLowerCase() === "websocket" &&
    /(^|[ ,])upgrade([ ,]|$)/i.test(c.req.header("connection") ?? "");
  return isUpgrade && c.req.header("sec-websocket-version") === "13" &&
    KEY.test(c.req.header("sec-websocket-key") ?? "");
}
