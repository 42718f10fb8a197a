/** Why an address could not be asked: one closed word, read out of the runtime's own text. */

export const NETWORK_CAUSES = [
  /** The name has no address. */
  "dns",
  /** Nobody listens on the port. */
  "refused",
  "unreachable",
  "timeout",
  /** The connection ended before an answer. */
  "cut",
  "tls_expired",
  /** The certificate begins later: this machine's clock may be behind. */
  "tls_not_yet_valid",
  "tls_wrong_name",
  /** Signed by nobody this machine trusts, or by itself. */
  "tls_untrusted",
  /** The certificate is refused for another reason. */
  "tls_certificate",
  /** No TLS came about: often plain HTTP under https. */
  "tls",
  /** Something else than HTTP answered: often https under http. */
  "not_http",
] as const;
export type NetworkCause = (typeof NETWORK_CAUSES)[number];

// The texts of Deno 2.9's fetch and WebSocket (hyper, rustls-webpki) and of the system. The first that matches counts.
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

/** Returns the word for an error of fetch, of a socket or of the system; null when its text names none. */
export function networkCause(error: unknown): NetworkCause | null {
  const text = textsOf(error).join("\n");
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The error's own text and that of its cause: fetch() says only "fetch failed" and keeps the reason there. */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [error.message, ...(error.cause instanceof Error ? [error.cause.message] : [])];
}
