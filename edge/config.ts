/** Environment → configuration of the edge, or one clear sentence for every value that is wrong. */
import { z } from "zod";
import { newPasswordSchema, usernameSchema } from "shared/http_api.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";

export interface Config {
  /** 0 = any free port. */
  port: number;
  host: string;
  databaseUrl: string;
  databaseAuthToken: string | undefined;
  dataDir: string;
  /** False = nothing is written on this machine: DATA_DIR is `none`. */
  keepsFiles: boolean;
  /** Folder of the built screens. */
  webDir: string;
  /** Folder of what `deno task agent:pack` made, served to the machines of new sites. */
  packageDir: string;
  /** The origin people use, or undefined when the Host header is to be believed. */
  publicUrl: URL | undefined;
  /** Undefined = the key kept in `dataDir`. */
  appKey: string | undefined;
  /** While `appKey` is changed: the key of before, or the next one. Undefined = there is none. */
  appKeyBeside: string | undefined;
  adminUsername: string;
  adminPassword: string | undefined;
  logLevel: LogLevel;
  /** Who bears it may read /metrics; undefined = this machine alone. */
  metricsToken: string | undefined;
  /** How long requests are still taken after /readyz began to refuse, in milliseconds: a balancer looks meanwhile. */
  stopDrainMs: number;
  /** Where clamd looks at uploads; undefined = nobody does. */
  clamd: ClamdAddress | undefined;
  /** Make a demonstration site and leave its join token in `dataDir`. */
  embeddedSite: boolean;
  /** End when stdin ends: the parent is gone. */
  endsWithParent: boolean;
}

/** Wrong environment; `message` has one sentence a line, and never a secret's value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the edge's configuration; an empty value counts as absent. Throws ConfigError. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = envSchema.safeParse(given);
  if (!parsed.success) {
    const wrong = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))] as EnvName[];
    throw new ConfigError(wrong.map((name) => `${name} ${RULES[name]}.`).join("\n"));
  }
  const values = parsed.data;
  const databaseUrl = values.DATABASE_URL ?? `file:${values.DATA_DIR}/shigur.db`;
  const keepsFiles = values.DATA_DIR !== "none";
  if (!keepsFiles && databaseUrl.startsWith("file:")) {
    throw new ConfigError("DATA_DIR none needs a remote DATABASE_URL: a file has to be somewhere.");
  }
  if (!databaseUrl.startsWith("file:") && values.APP_KEY === undefined) {
    throw new ConfigError(
      "APP_KEY is required when DATABASE_URL is remote, so that every instance derives the same keys.",
    );
  }
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl,
    databaseAuthToken: values.DATABASE_AUTH_TOKEN,
    dataDir: values.DATA_DIR,
    keepsFiles,
    webDir: values.WEB_DIR,
    packageDir: values.AGENT_PACKAGE_DIR,
    publicUrl: values.PUBLIC_URL === undefined ? undefined : new URL(values.PUBLIC_URL),
    appKey: values.APP_KEY,
    appKeyBeside: values.APP_KEY_BESIDE,
    adminUsername: values.ADMIN_USERNAME,
    adminPassword: values.ADMIN_PASSWORD,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    stopDrainMs: values.STOP_DRAIN_MS,
    clamd: values.CLAMD,
    embeddedSite: values.EMBEDDED_SITE === "1",
    endsWithParent: values.SHIGUR_PARENT_PIPE === "1",
  };
}

const flagSchema = z.enum(["0", "1"]).default("0");

const envSchema = z.object({
  PORT: z.string().regex(/^\d{1,5}$/).transform(Number).refine((port) => port <= 65535).default(8000),
  HOST: z.string().regex(/^([\w.-]+|(?=.*:.*:)[\da-f:.]+)$/i).default("127.0.0.1"),
  DATABASE_URL: z.string().regex(/^(file:.+|(libsql|https?|wss?):\/\/.+)$/).optional(),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  DATA_DIR: z.string().default(".data"),
  WEB_DIR: z.string().default("web/dist"),
  AGENT_PACKAGE_DIR: z.string().default("agent/dist"),
  PUBLIC_URL: z.string().refine(isOrigin).optional(),
  APP_KEY: z.string().refine(isGoodAppKey).optional(),
  APP_KEY_BESIDE: z.string().refine(isGoodAppKey).optional(),
  ADMIN_USERNAME: usernameSchema.default("admin"),
  ADMIN_PASSWORD: newPasswordSchema.optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  METRICS_TOKEN: z.string().regex(/^[\x21-\x7e]{16,200}$/).optional(),
  STOP_DRAIN_MS: z.string().regex(/^\d{1,4}$/).transform(Number).refine((ms) => ms <= 1500).default(0),
  CLAMD: z.string().regex(/^([\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i).transform(toAddress)
    .refine(({ port }) => port >= 1 && port <= 65535).optional(),
  EMBEDDED_SITE: flagSchema,
  SHIGUR_PARENT_PIPE: flagSchema,
});

type EnvName = keyof z.infer<typeof envSchema>;

const RULES: Record<EnvName, string> = {
  PORT: "must be a whole number from 0 to 65535",
  HOST: "must be a host name or an IP address, without a port",
  DATABASE_URL: "must start with file:, libsql:// or https://",
  DATABASE_AUTH_TOKEN: "must be text",
  DATA_DIR: "must be a folder's path, or none",
  WEB_DIR: "must be a folder's path",
  AGENT_PACKAGE_DIR: "must be a folder's path",
  PUBLIC_URL: "must be an origin such as https://shigur.example, without a path",
  APP_KEY: "must have at least 32 characters, 6 of them different",
  APP_KEY_BESIDE: "must have at least 32 characters, 6 of them different",
  ADMIN_USERNAME: "must have 1 to 64 visible characters",
  ADMIN_PASSWORD: "must have 8 to 200 characters",
  LOG_LEVEL: `must be one of ${LOG_LEVELS.join(", ")}`,
  METRICS_TOKEN: "must have 16 to 200 visible characters without a space",
  STOP_DRAIN_MS: "must be a whole number from 0 to 1500",
  CLAMD: "must be host:port, such as 127.0.0.1:3310",
  EMBEDDED_SITE: "must be 0 or 1",
  SHIGUR_PARENT_PIPE: "must be 0 or 1",
};

/** An IPv6 address stands in brackets, as in a URL. */
function toAddress(text: string): ClamdAddress {
  const colon = text.lastIndexOf(":");
  return { hostname: text.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(text.slice(colon + 1)) };
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === "" && url.href === `${url.origin}/`;
}

export interface ClamdAddress {
  hostname: string;
  port: number;
}

/** Least characters of a key. */
export const LEAST_KEY_LENGTH = 32;

/** Random characters, hexadecimal ones included, are never fewer in a key of that length. */
export const LEAST_DIFFERENT = 6;

/** Whether it can be a key: a few characters throughout, such as zeros in Base64, come from an example or a broken disk. */
export function isGoodAppKey(key: string): boolean {
  return key.length >= LEAST_KEY_LENGTH && new Set(key).size >= LEAST_DIFFERENT;
}
