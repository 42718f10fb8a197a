/** The files that docs/deploy.md has an operator write, as they stand there. */
const PAGE = new URL("../docs/deploy.md", import.meta.url);

export interface DeployPage {
  /** `shigur-edge@.service`, whose instance is the port. */
  edgeUnit: string;
  backupUnit: string;
  backupTimer: string;
  caddyfile: string;
}

/** @throws {Error} when one of them is not there */
export function readDeployPage(): DeployPage {
  const blocks = [...Deno.readTextFileSync(PAGE).matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, text]) => text!);
  const having = (word: string) => {
    const found = blocks.find((text) => text.includes(word));
    if (found === undefined) throw new Error(`docs/deploy.md has no file with ${word}`);
    return found;
  };
  return {
    edgeUnit: having("edge/main.ts"),
    backupUnit: having("deno task backup"),
    backupTimer: having("OnCalendar"),
    caddyfile: having("reverse_proxy"),
  };
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
