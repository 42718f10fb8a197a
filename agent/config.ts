/** The agent's settings, read from the environment once. */
import { z } from "zod";
import { ExitError } from "./exit_error.ts";

const addressSchema = z.string().regex(/^[^:\s]+:\d{1,5}$/, "must be host:port").transform((text) => {
  const [hostname, port] = text.split(":") as [string, string];
  return { hostname, port: Number(port) };
});

const environmentSchema = z.object({
  /** Where the edge is. */
  EDGE_URL: z.url({ protocol: /^https?$/, message: "must be an http or https address" })
    .default("http://127.0.0.1:8000"),
  /** The adb server to use; without it the agent runs one of its own. */
  ADB_SERVER: addressSchema.optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  /** Where this site keeps its key, its journal and its images. */
  AGENT_DIR: z.string().min(1).optional(),
  /** A file holding a one-time join token, for a site that enrols itself. */
  JOIN_TOKEN_FILE: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
});

export interface AgentConfig {
  edgeUrl: string;
  adbServer: { hostname: string; port: number } | null;
  agentDir: string;
  joinTokenFiles: string[];
  logLevel: "debug" | "info" | "warn" | "error";
}

/**
 * Reads the agent's settings.
 *
 * @throws {ExitError} naming every variable that is wrong
 */
export function readConfig(environment: Record<string, string | undefined>): AgentConfig {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    throw new ExitError("config", `Cannot start: ${wrong.join("; ")}`);
  }
  const { EDGE_URL, ADB_SERVER, DATA_DIR, AGENT_DIR, JOIN_TOKEN_FILE, LOG_LEVEL } = parsed.data;
  const agentDir = AGENT_DIR ?? `${DATA_DIR}/agent`;
  return {
    edgeUrl: EDGE_URL,
    adbServer: ADB_SERVER ?? null,
    agentDir,
    joinTokenFiles: JOIN_TOKEN_FILE
      ? [JOIN_TOKEN_FILE]
      : [`${agentDir}/site_join_token`, `${DATA_DIR}/site_join_token`],
    logLevel: LOG_LEVEL,
  };
}
