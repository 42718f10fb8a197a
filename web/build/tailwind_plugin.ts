/** Runs Tailwind inside esbuild, so one build hashes styles, fonts and scripts. */
import { compile } from "@tailwindcss/node";
import { Scanner } from "@tailwindcss/oxide";
import type { Plugin } from "esbuild";
import { dirname } from "node:path";

/** Returns an esbuild plugin that compiles `app.css` from the classes in the sources that it names. */
export function tailwindPlugin(): Plugin {
  return {
    name: "tailwind",
    setup(build) {
      build.onLoad({ filter: /[\\/]ui[\\/]app\.css$/ }, async ({ path }) => {
        const base = dirname(path);
        const watchFiles = [path];
        const compiler = await compile(await Deno.readTextFile(path), {
          base,
          onDependency: (file: string) => void watchFiles.push(file),
        });
        const root = compiler.root === null || compiler.root === "none"
          ? []
          : [{ ...compiler.root, negated: false }];
        const scanner = new Scanner({ sources: [...root, ...compiler.sources] });
        const contents = compiler.build(scanner.scan());
        return {
          contents,
          loader: "css",
          resolveDir: base,
          watchFiles: [...watchFiles, ...scanner.files],
          watchDirs: scanner.globs.map((glob) => glob.base),
        };
      });
    },
  };
}
