import { Program } from "./program.ts";

/** Files of deploy/ that an operator installs according to docs/deploy.md. */
export const DEPLOY = new URL("../deploy/", import.meta.url);
/** systemd units; the instance name of an edge is its port. */
export const UNITS = {
  edge: "shigur-edge@.service",
  agent: "shigur-agent.service",
  backup: "shigur-backup.service",
  backupTimer: "shigur-backup.timer",
} as const;

/** Returns the text of a file, by its path in deploy/. */
export function readDeployFile(path: string): string {
  return Deno.readTextFileSync(new URL(path, DEPLOY));
}

/** Returns the command of a unit's instance: arguments and environment variables. */
export function commandOf(unit: string, instance: string): { words: string[]; env: Record<string, string> } {
  const valuesOf = (key: string) => {
    const line = new RegExp(`^${key}=(.+)$`, "m").exec(unit)![1]!;
    return line.replaceAll("%i", instance).split(" ");
  };
  return {
    words: valuesOf("ExecStart"),
    env: Object.fromEntries(valuesOf("Environment").map((pair) => pair.split("=", 2))),
  };
}

/**
 * Starts an edge with the command of the unit or the image and the test's DATA_DIR; `folder` holds its sources.
 * Unlike in other tests it has no pipe from its parent, so it prints its first passwords; it still ends with this
 * process.
 */
export function startEdge(
  words: string[],
  env: Record<"PORT" | "DATA_DIR", string> & Record<string, string>,
  folder?: string,
): Program {
  const [, ...args] = words.map((word) => word.replace("/var/lib/shigur", env.DATA_DIR));
  const command = ["setpriv", "--pdeathsig", "KILL", Deno.execPath(), ...args];
  return new Program(`edge ${env.PORT}`, command, env, folder);
}
