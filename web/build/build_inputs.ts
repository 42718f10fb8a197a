/** Computes one hash over all inputs of a build. */
import { createHash } from "node:crypto";
import { join } from "node:path";

const SKIPPED = /(^|\/)(dist(?:-\w+)*|testing|README\.md)(\/|$)|_test\.tsx?$/;

/** Returns the SHA-256 of the application's sources, the shared sources, the lock file and `options`. */
export async function hashInputs(root: string, options: string): Promise<string> {
  const hash = createHash("sha256").update(options);
  const paths = ["deno.lock", ...await filesUnder(root, "shared"), ...await filesUnder(root, "web")];
  for (const path of paths.sort()) {
    hash.update(`\0${path}\0`).update(await Deno.readFile(join(root, path)));
  }
  return hash.digest("hex");
}

async function filesUnder(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (SKIPPED.test(path)) continue;
    if (entry.isDirectory) found.push(...await filesUnder(root, path));
    else found.push(path);
  }
  return found;
}
