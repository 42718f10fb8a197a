/** What an API key may do, and bounds of keys. The browser imports it: no schemas. */

/** Scopes of a client's keys. */
export const CLIENT_SCOPES = [
  "campaigns:read",
  "campaigns:write",
  "campaigns:send",
  "contacts",
  "messages:send",
  "reports",
  "opt_outs",
  "webhooks",
] as const;
/** Scopes of an administrator's keys. */
export const ADMIN_SCOPES = ["admin:read", "admin:write"] as const;
export const KEY_SCOPES = [...CLIENT_SCOPES, ...ADMIN_SCOPES] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A test key reaches no phone: beside drafts, it changes nothing. */
export const KEY_MODES = ["live", "test"] as const;
export type KeyMode = (typeof KEY_MODES)[number];

/** Most keys of an account that work or may still be confirmed. */
export const MAX_KEYS = 50;
/** Most characters of a key's name. */
export const MAX_KEY_NAME_CHARS = 60;
/** Most addresses and networks from which a key may be used. */
export const MAX_KEY_ADDRESSES = 20;
/** Most calls a day that a key's own limit may allow. */
export const MAX_DAILY_LIMIT = 10_000_000;
