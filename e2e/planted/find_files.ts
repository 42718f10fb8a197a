/** Finds the present paths of the files that faults name: files move, and their faults must follow. */
import { countOf, type Edit, type PlantedFault } from "./patch_file.ts";

export interface TrackedFiles {
  paths: readonly string[];
  read(path: string): Promise<string>;
}

const HERE = "e2e/planted/";

/** Returns the files tracked by git in the repository at `root`, without the patches. */
export async function trackedFiles(root: string): Promise<TrackedFiles> {
  const { stdout, success } = await new Deno.Command("git", { args: ["ls-files", "-z"], cwd: root }).output();
  if (!success) throw new Error("Cannot list the files: git ls-files failed");
  const paths = new TextDecoder().decode(stdout).split("\0")
    .filter((path) => path !== "" && !path.startsWith(HERE));
  const texts = new Map<string, Promise<string>>();
  function read(path: string): Promise<string> {
    const text = texts.get(path) ?? Deno.readTextFile(root + path);
    texts.set(path, text);
    return text;
  }
  return { paths, read };
}

/**
 * Returns the fault with the present paths of its files and tests. A file is at the path in the patch, or the only
 * one of its name with the edited lines. Otherwise it is the only file with these lines. A test file is at the
 * path in the patch, or the only one of its name.
 *
 * @throws {Error} that names a file found nowhere, or in several places
 */
export async function findFiles(fault: PlantedFault, files: TrackedFiles): Promise<PlantedFault> {
  const homes = new Map<string, string>();
  for (const path of new Set(fault.edits.map((edit) => edit.path))) {
    homes.set(path, await findEdited(path, fault.edits.filter((edit) => edit.path === path), files));
  }
  return {
    ...fault,
    edits: fault.edits.map((edit) => ({ ...edit, path: homes.get(edit.path)! })),
    triedFirst: fault.triedFirst.map((path) => findNamed(path, files)),
  };
}

async function findEdited(path: string, edits: readonly Edit[], files: TrackedFiles): Promise<string> {
  if (files.paths.includes(path)) return path;
  const held: string[] = [];
  for (const other of files.paths.filter((other) => extensionOf(other) === extensionOf(path))) {
    const text = await files.read(other);
    if (edits.every(({ find }) => countOf(find, text) === 1)) held.push(other);
  }
  const named = held.filter((other) => nameOf(other) === nameOf(path));
  return only(named.length > 0 ? named : held, `${path} with the edited lines`);
}

function findNamed(path: string, { paths }: TrackedFiles): string {
  if (paths.includes(path)) return path;
  return only(paths.filter((other) => nameOf(other) === nameOf(path)), path);
}

function only(found: readonly string[], what: string): string {
  if (found.length === 1) return found[0]!;
  throw new Error(`Cannot find ${what}: ${found.length === 0 ? "it is nowhere" : found.join(", ")}`);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf("."));
}
