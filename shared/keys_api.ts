/** Schemas of the calls about API keys: /api/keys. */
import { z } from "zod";
import { parseRange } from "./address_range.ts";
import { KEY_MODES, KEY_SCOPES, MAX_DAILY_LIMIT, MAX_KEY_ADDRESSES, MAX_KEY_NAME_CHARS } from "./api_key.ts";
import { provedFields } from "./http_api.ts";
import { plainText } from "./plain_text.ts";

const scopesSchema = z.array(z.enum(KEY_SCOPES));
const modeSchema = z.enum(KEY_MODES);

export const apiKeySchema = z.object({
  id: z.int(),
  /** The owner's own word for the key. */
  name: z.string(),
  mode: modeSchema,
  /** The key's first characters, by which a person finds it again. */
  start: z.string(),
  scopes: scopesSchema,
  /** Addresses and networks from which it may be used; none means from everywhere. */
  addresses: z.array(z.string()),
  /** Most calls a day in Israel; null means no limit of its own. */
  dailyLimit: z.int().nullable(),
  createdAt: z.int(),
  /** Null means that it does not expire. */
  expiresAt: z.int().nullable(),
  /** Exact to a minute; null means never used. */
  lastUsedAt: z.int().nullable(),
  /** True after a restore, until the owner confirms the key. */
  waits: z.boolean(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;
/** Keys that work or wait, newest first; revoked and expired ones are not shown. */
export const apiKeysSchema = z.object({ keys: z.array(apiKeySchema) });
export type ApiKeys = z.infer<typeof apiKeysSchema>;

export const makeKeyRequestSchema = z.object({
  ...provedFields,
  name: plainText.min(1).max(MAX_KEY_NAME_CHARS),
  mode: modeSchema,
  scopes: scopesSchema.min(1).max(KEY_SCOPES.length),
  /** Time in milliseconds; null means that it does not expire. */
  expiresAt: z.int().positive().nullable().default(null),
  dailyLimit: z.int().min(1).max(MAX_DAILY_LIMIT).nullable().default(null),
  addresses: z.array(z.string().max(50).refine((text) => parseRange(text) !== null))
    .max(MAX_KEY_ADDRESSES).default([]),
});
export type MakeKeyRequest = z.infer<typeof makeKeyRequestSchema>;
/** `secret` is the key itself, shown once. */
export const madeKeySchema = z.object({ key: apiKeySchema, secret: z.string() });
export type MadeKey = z.infer<typeof madeKeySchema>;
