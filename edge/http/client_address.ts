/** Who is at the other end of the connection, as far as that can be believed. */
import type { Context } from "hono";

/**
 * The caller's address, an IPv6 one cut to its /64 (what one customer is given).
 * X-Forwarded-For is believed only from a proxy on this machine, and only its last hop: the rest is the caller's word.
 */
export function clientAddress(c: Context): string {
  const peer = peerAddress(c);
  const lastHop = c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim();
  return shorten(lastHop && isLoopback(peer) ? lastHop : peer);
}

/** The other end of the connection itself: a proxy's address when there is one. */
export function peerAddress(c: Context): string {
  const info: { remoteAddr?: Deno.Addr } | undefined = c.env;
  return info?.remoteAddr && "hostname" in info.remoteAddr ? info.remoteAddr.hostname : "unknown";
}

/** Whether an address is of this machine itself. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

/** Whether a host, as it is configured or asked for, means this machine to itself alone. */
export function isLoopbackName(host: string): boolean {
  return /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/i.test(host);
}

function shorten(told: string): string {
  // Some proxies add the port, which is another for each connection.
  const address = /^\[(.*)\](?::\d+)?$/.exec(told)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(told)?.[1] ?? told;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  if (!address.includes(":")) return address.slice(0, 64);
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head.split(":").filter((group) => group !== "");
  const right = tail?.split(":").filter((group) => group !== "") ?? [];
  const zeros: string[] = Array(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...(tail === undefined ? [] : zeros), ...right].slice(0, 4).join(":");
}
