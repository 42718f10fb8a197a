/** Bundles the agent into one file of JavaScript that needs only the runtime. */
import * as esbuild from "esbuild";
import { builtinModules } from "node:module";
import { packCorpus } from "../recordings/shipped_corpus.ts";

const root = new URL("../../", import.meta.url).pathname;

/**
 * Bundles agent/main.ts into `outFile` and returns the folders of the bundled packages.
 *
 * @throws {Error} naming each import that cannot be resolved
 */
export async function bundleAgent(outFile: string): Promise<string[]> {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["agent/main.ts"],
    outfile: outFile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "esnext",
    alias: { shared: `${root}shared` },
    define: { PACKED_CORPUS: JSON.stringify(await packCorpus()) },
    // cbor-x tries a native addon and works without it. A single file has none.
    external: ["cbor-extract"],
    plugins: [nodePrefix],
    metafile: true,
    legalComments: "none",
    logLevel: "error",
  });
  await esbuild.stop();
  const folders = Object.keys(metafile.inputs).map((path) =>
    /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))].map((folder) => `${root}${folder}`);
}

/** Without packages the runtime knows its built-in modules only by their full names. */
const nodePrefix: esbuild.Plugin = {
  name: "node-prefix",
  setup(build) {
    const names = builtinModules.filter((name) => !name.startsWith("node:"));
    const isBuiltin = new RegExp(`^(${names.join("|")})$`);
    build.onResolve({ filter: isBuiltin }, ({ path }) => ({ path: `node:${path}`, external: true }));
  },
};
