/** Converts the environment to the edge's configuration, or to one clear sentence for every wrong value. */
import { z } from "zod";
import { newPasswordSchema, usernameSchema } from "shared/http_api.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";
import { type Network, parseNetwork } from "./public_address.ts";

export interface Config {
  /** 0 = any free port. */
  port: number;
  host: string;
  databaseUrl: string;
  databaseAuthToken: string | undefined;
  dataDir: string;
  /** False = write nothing on this machine: DATA_DIR is `none`. */
  keepsFiles: boolean;
  /** Folder of the built screens. */
  webDir: string;
  /** Folder of the output of `deno task agent:pack`, served to the machines of new sites. */
  packageDir: string;
  /** The public origin, or undefined to trust the Host header. */
  publicUrl: URL | undefined;
  /** Undefined = use the key in `dataDir`. */
  appKey: string | undefined;
  /** During a change of `appKey`: the previous or the next key. Undefined = no change is under way. */
  appKeyBeside: string | undefined;
  adminUsername: string;
  adminPassword: string | undefined;
  logLevel: LogLevel;
  /** Bearer token for /metrics; undefined = only requests from this machine. */
  metricsToken: string | undefined;
  /**
   * Milliseconds in which requests are still accepted after /readyz began to refuse, so that a load balancer can
   * notice.
   */
  stopDrainMs: number;
  /** Address of the clamd that scans uploads; undefined = no scan. */
  clamd: ClamdAddress | undefined;
  /** Where alerts go by e-mail; undefined = nowhere. */
  email: EmailConfig | undefined;
  /** Where alerts go as JSON; undefined = nowhere. */
  alertWebhook: URL | undefined;
  /** Networks to which webhooks may go beside the public Internet, on any port. */
  webhookNetworks: readonly Network[];
  /** Make a demonstration site and leave its join token in `dataDir`. */
  embeddedSite: boolean;
  /** End when stdin closes, because the parent process has gone. */
  endsWithParent: boolean;
}

/** Wrong environment; `message` has one sentence per line, and never a secret's value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Returns the edge's configuration; an empty value counts as absent.
 *
 * @throws {ConfigError} when a value is wrong
 */
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
    throw new ConfigError(
      "DATA_DIR none works only with a remote DATABASE_URL: a database file needs a folder.",
    );
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
    email: toEmail(values),
    alertWebhook: values.ALERT_WEBHOOK_URL === undefined ? undefined : new URL(values.ALERT_WEBHOOK_URL),
    webhookNetworks: values.WEBHOOK_NETWORKS,
    embeddedSite: values.EMBEDDED_SITE === "1",
    endsWithParent: values.SHIGUR_PARENT_PIPE === "1",
  };
}

const MOST_ADDRESSES = 10;
/** Plain addresses: a name or a comment could carry further header lines. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]+(\.[\w-]+)*$/;

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
  SMTP_URL: z.string().refine(isSmtpUrl).optional(),
  ALERT_EMAIL_FROM: z.string().max(254).regex(ADDRESS).optional(),
  ALERT_EMAIL_TO: z.string().transform((text) => text.split(",").map((address) => address.trim()))
    .pipe(z.array(z.string().max(254).regex(ADDRESS)).min(1).max(MOST_ADDRESSES)).optional(),
  ALERT_WEBHOOK_URL: z.string().refine(isWebhookUrl).optional(),
  WEBHOOK_NETWORKS: z.string().default("").transform(toNetworks).pipe(z.array(z.custom<Network>(Boolean))),
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
  SMTP_URL:
    "must be smtp://host:port or smtps://host:port, with user:password@ where the server asks for one",
  ALERT_EMAIL_FROM: "must be one e-mail address",
  ALERT_EMAIL_TO: `must be up to ${MOST_ADDRESSES} e-mail addresses, separated by commas`,
  ALERT_WEBHOOK_URL: "must be an https:// address, or http:// on this machine, without a user name",
  WEBHOOK_NETWORKS: "must be networks such as 10.0.0.0/8 or fd00::/8, separated by commas",
  EMBEDDED_SITE: "must be 0 or 1",
  SHIGUR_PARENT_PIPE: "must be 0 or 1",
};

/** Brackets surround an IPv6 address, as in a URL. */
function toAddress(text: string): ClamdAddress {
  const colon = text.lastIndexOf(":");
  return { hostname: text.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(text.slice(colon + 1)) };
}

/** Returns null in place of a text that is no network. */
function toNetworks(text: string): (Network | null)[] {
  return text === "" ? [] : text.split(",").map((network) => parseNetwork(network.trim()));
}

/** @throws {ConfigError} when only some of the three settings of e-mail are there */
function toEmail(
  { SMTP_URL, ALERT_EMAIL_FROM: from, ALERT_EMAIL_TO: to }: z.infer<typeof envSchema>,
): EmailConfig | undefined {
  if (SMTP_URL === undefined && from === undefined && to === undefined) return undefined;
  if (SMTP_URL === undefined || from === undefined || to === undefined) {
    throw new ConfigError("SMTP_URL, ALERT_EMAIL_FROM and ALERT_EMAIL_TO must be set together.");
  }
  const url = new URL(SMTP_URL);
  const isSecure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    isLocal: isThisMachine(host),
    auth: url.username === ""
      ? undefined
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    from,
    to,
  };
}

function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  const isPlain = (pathname === "" || pathname === "/") && search === "" && hash === "";
  const isDecodable = [username, password].every(canDecode);
  return /^smtps?:$/.test(protocol) && hostname !== "" && isPlain && isDecodable &&
    (username === "") === (password === "");
}

function canDecode(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isEncrypted = protocol === "https:" || (protocol === "http:" && isThisMachine(hostname));
  return isEncrypted && username === "" && password === "";
}

function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === "" && url.href === `${url.origin}/`;
}

/** A mail server, and the addresses that alerts go from and to. */
export interface EmailConfig {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS, without which nothing is sent. */
  isSecure: boolean;
  /** The server is this machine: it is spoken to without TLS. */
  isLocal: boolean;
  auth: { user: string; pass: string } | undefined;
  from: string;
  to: readonly string[];
}

export interface ClamdAddress {
  hostname: string;
  port: number;
}

/** The least length of a key, in characters. */
export const LEAST_KEY_LENGTH = 32;

/** A random key of that length has at least this many different characters, even in hexadecimal. */
export const LEAST_DIFFERENT = 6;

/**
 * Returns whether a text can be a key. A few repeated characters, such as zeros in Base64, come from an example or a
 * broken disk.
 */
export function isGoodAppKey(key: string): boolean {
  return key.length >= LEAST_KEY_LENGTH && new Set(key).size >= LEAST_DIFFERENT;
}
