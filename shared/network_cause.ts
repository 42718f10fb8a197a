/** Reads the cause of a failed connection from the runtime's error text, as one word of a closed set. */

export const NETWORK_CAUSES = [
  /** The name does not resolve. */
  "dns",
  /** No program listens on the port. */
  "refused",
  "unreachable",
  "timeout",
  /** The connection ended before a response. */
  "cut",
  "tls_expired",
  /** The certificate is not valid yet: this machine's clock may be slow. */
  "tls_not_yet_valid",
  "tls_wrong_name",
  /** Self-signed, or signed by an authority that this machine does not trust. */
  "tls_untrusted",
  /** The certificate was refused for another reason. */
  "tls_certificate",
  /** The TLS handshake failed: often plain HTTP at an https address. */
  "tls",
  /** The response was not HTTP: often https at an http address. */
  "not_http",
] as const;
export type NetworkCause = (typeof NETWORK_CAUSES)[number];

// Error texts of Deno 2.9's fetch and WebSocket (hyper, rustls-webpki) and of the system. The first match counts.
const TEXTS: readonly [RegExp, NetworkCause][] = [
  [/dns error|lookup address|name or service not known|nodename nor servname/i, "dns"],
  [/certificate.*(?:not valid yet|NotValidYet)/i, "tls_not_yet_valid"],
  [/certificate.*expired/i, "tls_expired"],
  [/certificate.*(?:not valid for name|NotValidForName)/i, "tls_wrong_name"],
  [/certificate.*(?:UnknownIssuer|CaUsedAsEndEntity)/i, "tls_untrusted"],
  [/certificate/i, "tls_certificate"],
  [/corrupt message|handshake|\btls\b|fatal alert/i, "tls"],
  [/connection refused|actively refused/i, "refused"],
  [/unreachable|no route to host/i, "unreachable"],
  [/timed out|timeout/i, "timeout"],
  [/connection (?:closed|reset)|broken pipe|unexpected eof|end of file/i, "cut"],
  [/invalid HTTP|HTTP version/i, "not_http"],
];

/** Returns the cause for an error of fetch, of a socket or of the system; null when its text matches none. */
export function networkCause(error: unknown): NetworkCause | null {
  const text = textsOf(error).join("\n");
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/**
 * Returns the text of the error and of its cause: fetch() says only "fetch failed" and keeps the reason in the
 * cause.
 */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [error.message, ...(error.cause instanceof Error ? [error.cause.message] : [])];
}
