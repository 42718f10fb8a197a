import * as esbuild from "esbuild";

/** Returns a source file without its comments, blanks and types; of SQL without its lines of comments. */
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

/** Ends the process that withoutComments() started. */
export async function stopBuilding(): Promise<void> {
  await esbuild.stop();
}
