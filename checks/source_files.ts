/** Finds the repository's source files, and reads their imports from their text. */

export async function* sourceFiles(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory && !["node_modules", "dist", "dist-react"].includes(entry.name)) {
      yield* sourceFiles(path);
    } else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

/** Yields the files that are neither tests nor in a folder for tests. */
export async function* productFiles(folder: string): AsyncGenerator<string> {
  for await (const file of sourceFiles(folder)) {
    if (!/_test\.tsx?$|\.e2e\.ts$|\/testing\//.test(file)) yield file;
  }
}

export function importNames(text: string): string[] {
  const names = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"([^"]+)"|import\s*\(\s*"([^"]+)"|import\s+"([^"]+)"/g,
  );
  return [...names].map((match) => match[1] ?? match[2] ?? match[3]);
}
