/** Imports each icon from its own file, so that a screen's chunk holds only its own icons, and only their drawings. */
import type { Plugin } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Matches an icon's name and size: the name would become a CSS class that is not used, and the size is the
 * default.
 */
const ICON_NAMES = /^ {2}name: "[^"]*",$|^ {2}size: 24,$|(?<=\]),\s+aliases: \[[^\]]*\]/gm;
const ICON_IMPORT = /import \{([^}]*)\} from "lucide-react";/g;

/**
 * Returns an esbuild plugin that rewrites imports by name from `lucide-react` into imports of single files.
 * esbuild splits chunks by file: through the package's single entry all icons would share one chunk.
 */
export function iconsPlugin(): Plugin {
  return {
    name: "icons",
    setup(build) {
      let files: Promise<Map<string, string>> | undefined;
      build.onLoad({ filter: /[\\/]web[\\/].*\.tsx$/ }, async ({ path }) => {
        files ??= iconFiles();
        const icons = await files;
        const source = await Deno.readTextFile(path);
        const contents = source.replace(ICON_IMPORT, (_, names: string) => {
          const values = names.split(",").map((name) => name.trim())
            .filter((name) => name && !name.startsWith("type "));
          return values.map((name) => importOf(name, icons)).join(" ");
        });
        return { contents, loader: "tsx" };
      });
      build.onLoad({ filter: /[\\/]lucide-react[\\/].*[\\/]icons[\\/][^\\/]+\.mjs$/ }, async ({ path }) => {
        return { contents: (await Deno.readTextFile(path)).replace(ICON_NAMES, ""), loader: "js" };
      });
    },
  };
}

function importOf(name: string, icons: Map<string, string>): string {
  const [exported, local = exported] = name.split(" as ");
  const file = icons.get(exported);
  if (!file) throw new Error(`Cannot find icon "${exported}" in lucide-react`);
  return `import ${local} from ${JSON.stringify(file)};`;
}

/** Returns icon name → file, read from the package's own entry file. */
async function iconFiles(): Promise<Map<string, string>> {
  const entry = fileURLToPath(import.meta.resolve("lucide-react")).replace(
    /cjs[\\/][^\\/]+$/,
    "esm/lucide-react.mjs",
  );
  const files = new Map<string, string>();
  for (
    const [, names, file] of (await Deno.readTextFile(entry)).matchAll(
      /export \{([^}]*)\} from '(\.\/icons\/[^']+)'/g,
    )
  ) {
    for (const [, name] of names.matchAll(/default as (\w+)/g)) files.set(name, join(dirname(entry), file));
  }
  return files;
}
