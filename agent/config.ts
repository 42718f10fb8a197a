/** The agent's settings, read once from a file beside its data and from the environment. The environment wins. */
import { z } from "zod";
import { ExitError } from "./exit_error.ts";
import { LOG_FORMATS, LOG_LEVELS } from "./log.ts";

const addressSchema = z.string().regex(/^[^:\s]+:\d{1,5}$/, "must be host:port").transform((text) => {
  const [hostname, port] = text.split(":") as [string, string];
  return { hostname, port: Number(port) };
}).refine(({ port }) => port <= 65_535, "must be host:port");
const ADDRESS_LIST = /^[^:,\s]+:\d{1,5}(,[^:,\s]+:\d{1,5})*$/;
const addressesSchema = z.string().regex(ADDRESS_LIST, "must be host:port,host:port,…").transform((text) =>
  text.split(",")
);
const path = z.string().min(1, "must be a path");

/** The settings that the file may hold. Each also has a name in the environment. */
const settingsShape = {
  /** Address of the edge. */
  edgeUrl: z.url({ protocol: /^https?$/, error: "must be an http or https address" }),
  /** The adb server to use. Without it the agent runs its own. */
  adbServer: addressSchema,
  /** Phones on the network to which the adb server has to connect. */
  networkPhones: addressesSchema,
  /** A file with a one-time join token, for a site that enrols itself. */
  joinTokenFile: path,
  logLevel: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`),
  /** One JSON object a line, or text for people. Without it: text on a terminal, JSON elsewhere. */
  logFormat: z.enum(LOG_FORMATS, `must be one of ${LOG_FORMATS.join(", ")}`),
};
type Setting = keyof typeof settingsShape;
const VARIABLES: Record<Setting, string> = {
  edgeUrl: "EDGE_URL",
  adbServer: "ADB_SERVER",
  networkPhones: "NETWORK_PHONES",
  joinTokenFile: "JOIN_TOKEN_FILE",
  logLevel: "LOG_LEVEL",
  logFormat: "LOG_FORMAT",
};
const settingsSchema = z.strictObject(settingsShape).partial();
type Settings = z.infer<typeof settingsSchema>;

export interface AgentConfig {
  edgeUrl: string;
  adbServer: { hostname: string; port: number } | null;
  /** "host:port" of each phone on the network to which the adb server has to connect. */
  networkPhones: string[];
  /** The folder of this site's key, journal and images. */
  agentDir: string;
  joinTokenFiles: string[];
  logLevel: (typeof LOG_LEVELS)[number];
  /** Null = text on a terminal, else JSON. */
  logFormat: (typeof LOG_FORMATS)[number] | null;
}

export interface ConfigSources {
  environment: Record<string, string | undefined>;
  /** Replaces AGENT_DIR/agent.json. This file must exist. */
  configPath?: string;
  /** Returns the file's text, or null when there is no file. */
  readText(path: string): string | null;
}

/**
 * Reads the agent's settings.
 *
 * @throws {ExitError} naming every wrong value, and its file or variable
 */
export function readConfig({ environment, configPath, readText }: ConfigSources): AgentConfig {
  const variable = (name: string) => environment[name] || undefined;
  const dataDir = variable("DATA_DIR") ?? ".data";
  const agentDir = variable("AGENT_DIR") ?? `${dataDir}/agent`;
  const fromFile = readFile(configPath ?? `${agentDir}/agent.json`, configPath !== undefined, readText);
  const given = Object.entries(VARIABLES).map(([setting, name]) => [setting, variable(name)]);
  const fromEnvironment = check(
    Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    (setting) => VARIABLES[setting as Setting],
  );
  const settings: Settings = { ...fromFile, ...fromEnvironment };
  return {
    edgeUrl: settings.edgeUrl ?? "http://127.0.0.1:8000",
    adbServer: settings.adbServer ?? null,
    networkPhones: settings.networkPhones ?? [],
    agentDir,
    joinTokenFiles: settings.joinTokenFile
      ? [settings.joinTokenFile]
      : [`${agentDir}/site_join_token`, `${dataDir}/site_join_token`],
    logLevel: settings.logLevel ?? "info",
    logFormat: settings.logFormat ?? null,
  };
}

function readFile(path: string, isWanted: boolean, readText: ConfigSources["readText"]): Settings {
  const text = readText(path);
  if (text === null) {
    if (isWanted) throw new ExitError("config", `Cannot start: there is no file "${path}"`);
    return {};
  }
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    throw new ExitError("config", `Cannot start: "${path}" is not JSON`);
  }
  return check(values, (setting) => `"${path}": ${setting}`);
}

function check(values: unknown, nameOf: (setting: string) => string): Settings {
  const parsed = settingsSchema.safeParse(values);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `${nameOf(key)} is not a setting`)
      : [`${nameOf(issue.path.join("."))} ${issue.message}`]
  );
  throw new ExitError("config", `Cannot start: ${wrong.join("; ")}`);
}
