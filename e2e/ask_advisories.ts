/** Asks the registry for known vulnerabilities in the packages of the lock file. */

const ANSWERED_WITHIN_MS = 20_000;

export interface Advisories {
  /** flawed = at least one high or critical advisory. */
  kind: "clean" | "flawed" | "no answer";
  /** Output of the runtime's own command. */
  says: string;
}

/**
 * Runs `deno audit`, which also exits with 1 when it could not reach the registry; `env` is added to its
 * environment.
 */
export async function askAdvisories(env: Record<string, string> = {}): Promise<Advisories> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["audit", "--level", "high"],
    cwd: new URL("../", import.meta.url).pathname,
    env: { ...env, NO_COLOR: "1" },
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await command.output();
  const said = new TextDecoder().decode(stdout).trim();
  if (code === 0) return { kind: "clean", says: said };
  if (/^Severity: /m.test(said)) return { kind: "flawed", says: said };
  const reason = new TextDecoder().decode(stderr).trim().split("\n")[0] || "no answer in time";
  return { kind: "no answer", says: reason.replace(/^error: | for url \([^)]*\)/g, "") };
}
