/**
 * `deno run -A checks/comments_only.ts [commit]`: lists the files that differ from a commit in more than comments.
 * Exit code 0 means that only comments differ. Use it before a commit that rewrites comments.
 */
import { stopBuilding, withoutComments } from "./without_comments.ts";

const [commit = "HEAD^"] = Deno.args;
const changed = (await git("diff", "--name-only", "-z", "--no-renames", commit)).split("\0");
const others: string[] = [];
for (const path of changed.filter((path) => /\.(tsx?|sql)$/.test(path))) {
  const before = await git("show", `${commit}:${path}`).catch(() => "");
  const now = await Deno.readTextFile(path).catch(() => "");
  if (await withoutComments(path, before) !== await withoutComments(path, now)) others.push(path);
}
await stopBuilding();
const verdict = others.length === 0
  ? "Only comments differ."
  : `More than comments differs:\n${others.join("\n")}`;
Deno.stdout.writeSync(new TextEncoder().encode(`${verdict}\n`));
Deno.exit(others.length === 0 ? 0 : 1);

async function git(...args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command("git", { args }).output();
  if (!success) throw new Error(`git ${args.join(" ")} failed`);
  return new TextDecoder().decode(stdout);
}
