/** Leaves out the names that Radix gives its functions for a debugger: three kilobytes of the first load. */
import type { Plugin } from "esbuild";

const NAME_LATER = /^ *__name\(\w+, "[^"]*"\);\n/gm;
const NAME = /^var __name = .*$/m;

/** Returns an esbuild plugin that makes Radix's __name(target, name) return its target. */
export function radixNamesPlugin(): Plugin {
  return {
    name: "radix_names",
    setup(build) {
      build.onLoad({ filter: /[\\/]@radix-ui[\\/].*\.mjs$/ }, async ({ path }) => {
        const source = await Deno.readTextFile(path);
        const contents = source.replaceAll(NAME_LATER, "").replace(
          NAME,
          "const __name = (target) => target;",
        );
        return { contents, loader: "js" };
      });
    },
  };
}
