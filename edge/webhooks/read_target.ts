import { MAX_ENDPOINT_URL_CHARS } from "shared/webhook_event.ts";

/** Where a call goes, as its URL says. */
export interface Target {
  isSecure: boolean;
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  /** The value of the header Host. */
  authority: string;
  /** Path and query. */
  path: string;
}

/** Ports of any receiver; a network of the operator has every port. */
export const OPEN_PORTS: readonly number[] = [80, 443, 8443];

/** Returns the target of a URL; null = no http or https URL, or one with a user name. */
export function readTarget(text: string): Target | null {
  if (text.length > MAX_ENDPOINT_URL_CHARS || !URL.canParse(text)) return null;
  const { protocol, hostname, host, port, username, password, pathname, search } = new URL(text);
  const isSecure = protocol === "https:";
  if ((!isSecure && protocol !== "http:") || hostname === "" || username !== "" || password !== "") {
    return null;
  }
  return {
    isSecure,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    authority: host,
    path: `${pathname}${search}`,
  };
}
