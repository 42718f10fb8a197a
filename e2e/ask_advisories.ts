/** What the registry knows of flaws in the packages of the lock. */

const ANSWERED_WITHIN_MS = 20_000;

export interface Advisories {
  /** flawed = a high or critical one. */
  kind: "clean" | "flawed" | "no answer";
  /** As the runtime's own command says it. */
  says: string;
}

/** Asks by `deno audit`, which ends with 1 also when it learned nothing; `env` is added to its environment. */
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
