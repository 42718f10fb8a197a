/** For an image of the edge: removes from import_map.json, and so from node_modules, what the edge does not import. */
const MAP = "import_map.json";

const sources = ["edge", "shared"].flatMap((folder) => [...readSources(folder)]);
const { imports, ...rest } = JSON.parse(Deno.readTextFileSync(MAP));
// A key that ends in a slash is the beginning of specifiers.
const isImported = (key: string) =>
  sources.some((text) => text.includes(key.endsWith("/") ? `"${key}` : `"${key}"`));
const kept = Object.entries(imports).filter(([key]) => isImported(key));
Deno.writeTextFileSync(MAP, JSON.stringify({ ...rest, imports: Object.fromEntries(kept) }, null, 2));

function* readSources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* readSources(path);
    else if (name.endsWith(".ts")) yield Deno.readTextFileSync(path);
  }
}
