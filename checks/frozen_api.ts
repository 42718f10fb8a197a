/**
 * Writes `shared/openapi.json`, the API that programs were told of: `deno task openapi`. It refuses a breaking change
 * unless a reason is given: `deno task openapi --break "why"`, which adds a line to docs/api_changes.md.
 */
import { openTestApp } from "../edge/testing/test_app.ts";
import { type ApiDocument, breakingChanges } from "./api_changes.ts";

export const FROZEN = new URL("../shared/openapi.json", import.meta.url);
const CHANGES = new URL("../docs/api_changes.md", import.meta.url);

/** Returns the present document as people use it over https, without the edge's own version. */
export async function presentDocument(): Promise<ApiDocument> {
  await using edge = await openTestApp({ publicUrl: new URL("https://shigur.example") });
  const document = await (await edge.visitor.ask("/api/openapi.json")).json();
  return { ...document, info: { ...document.info, version: "1" } };
}

/** Returns the document that was frozen. */
export async function frozenDocument(): Promise<ApiDocument> {
  return JSON.parse(await Deno.readTextFile(FROZEN));
}

async function freeze(reason: string | undefined): Promise<number> {
  const document = await presentDocument();
  const breaks = breakingChanges(await frozenDocument().catch(() => document), document);
  if (breaks.length > 0 && reason === undefined) {
    for (const line of breaks) await say(line);
    await say('Programs would break. Keep the old way beside the new one, or give a reason: --break "why"');
    return 1;
  }
  if (breaks.length > 0) {
    const lines = breaks.map((line) => `  - ${line}`).join("\n");
    await Deno.writeTextFile(CHANGES, `- ${reason}\n${lines}\n`, { append: true });
  }
  await Deno.writeTextFile(FROZEN, byLines(document));
  return 0;
}

/** Returns the document with a line for each path and for each component, so that a reader sees what a commit changes. */
function byLines({ paths, components, ...rest }: ApiDocument): string {
  const lines = (part: object) =>
    Object.entries(part).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(
      ",\n",
    );
  const kinds = Object.entries(components).map(([kind, part]) =>
    `${JSON.stringify(kind)}: {\n${lines(part)}\n}`
  );
  return `{\n${lines(rest)},\n"paths": {\n${lines(paths)}\n},\n"components": {\n${kinds.join(",\n")}\n}\n}\n`;
}

async function say(line: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  const at = Deno.args.indexOf("--break");
  Deno.exit(await freeze(at < 0 ? undefined : Deno.args[at + 1]));
}
