/** The address of the caller, as far as it can be trusted. */
import type { Context } from "hono";

/**
 * Returns the caller's address; an IPv6 one is cut to its /64, the block that one customer gets. X-Forwarded-For is
 * trusted only from a proxy on this machine, and only its last hop: the caller can write the rest.
 */
export function clientAddress(c: Context): string {
  return shorten(wholeAddress(c));
}

/** Returns the same, uncut and without a port: for a comparison with addresses that somebody allowed. */
export function wholeAddress(c: Context): string {
  const peer = peerAddress(c);
  const lastHop = c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim();
  return withoutPort(lastHop && isLoopback(peer) ? lastHop : peer);
}

/** Returns the address of the connection itself: with a proxy, the proxy's. */
export function peerAddress(c: Context): string {
  const info: { remoteAddr?: Deno.Addr } | undefined = c.env;
  return info?.remoteAddr && "hostname" in info.remoteAddr ? info.remoteAddr.hostname : "unknown";
}

/** Returns whether an address belongs to this machine. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

/** Returns whether a host, in the configuration or in a request, is reachable from this machine alone. */
export function isLoopbackName(host: string): boolean {
  return /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/i.test(host);
}

/** Some proxies add the port, which differs for each connection. */
function withoutPort(text: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text;
}

function shorten(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  if (!address.includes(":")) return address.slice(0, 64);
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head.split(":").filter((group) => group !== "");
  const right = tail?.split(":").filter((group) => group !== "") ?? [];
  const zeros: string[] = Array(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...(tail === undefined ? [] : zeros), ...right].slice(0, 4).join(":");
}
