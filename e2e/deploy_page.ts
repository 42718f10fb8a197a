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
