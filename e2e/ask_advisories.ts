/** Asks the registry for known vulnerabilities in the packages of the lock file. */

const ANSWERED_WITHIN_MS = 20_000;

export interface Advisories {
  /** flawed = at least one high or critical advisory. */
  kind: "clean" | "flawed" | "no answer";
  /** Output of the runtime's own command. */
  message: string;
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
  const output = new TextDecoder().decode(stdout).trim();
  if (code === 0) return { kind: "clean", message: output };
  if (/^Severity: /m.test(output)) return { kind: "flawed", message: output };
  const reason = new TextDecoder().decode(stderr).trim().split("\n")[0] || "no answer in time";
  return { kind: "no answer", message: reason.replace(/^error: | for url \([^)]*\)/g, "") };
}
