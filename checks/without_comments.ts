import * as esbuild from "esbuild";

/** Returns a source file without comments, whitespace and types; an SQL file without its comment lines. */
export async function withoutComments(path: string, source: string): Promise<string> {
  if (path.endsWith(".sql")) return source.split("\n").filter((line) => !/^\s*(--|$)/.test(line)).join("\n");
  const { code } = await esbuild.transform(source, {
    loader: path.endsWith("x") ? "tsx" : "ts",
    jsx: "preserve",
    minifyWhitespace: true,
    legalComments: "none",
  });
  return code;
}

/** Ends the esbuild process that withoutComments() started. */
export async function stopBuilding(): Promise<void> {
  await esbuild.stop();
}
