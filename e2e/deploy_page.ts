import { Program } from "./two_edges_process.ts";

/** The files of deploy/ that docs/deploy.md has an operator install. */
export const DEPLOY = new URL("../deploy/", import.meta.url);
/** Units of systemd; an edge's instance is its port. */
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

/** What an instance of the unit starts: its words, and the variables it gives them. */
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
 * Starts an edge by the words of the unit or the image, with the test's DATA_DIR; `folder` is that of its sources. It has
 * no parent's pipe as in other tests, so it prints its first passwords; yet it ends with this process.
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
