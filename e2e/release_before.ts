/** Unpacks the previous release, so that its programs can run beside the present ones. */
const root = new URL("../", import.meta.url).pathname;
/** Folders and files that an edge and an agent need to run. */
const PARTS = ["agent", "simulator", "edge", "shared", "deno.json", "deno.lock", "import_map.json"];

/**
 * Unpacks it into a new folder and returns its path, with a trailing slash.
 *
 * @throws {Error} with instructions when its commit is missing
 */
export async function unpackReleaseBefore(): Promise<string> {
  // Updated with each release.
  const commit = (await Deno.readTextFile(new URL("./release_before.txt", import.meta.url))).trim();
  if (!(await run("git", ["cat-file", "-e", `${commit}^{commit}`])).success) {
    throw new Error(
      `This clone lacks the commit ${commit}, the release that updates start from (e2e/release_before.txt). ` +
        "Fetch the whole history: git fetch --unshallow",
    );
  }
  const folder = `${await Deno.makeTempDir({ prefix: "shigur-before-" })}/`;
  const { output } = await run("git", ["ls-tree", "--name-only", commit]);
  // In earlier releases the simulator was inside agent/.
  const parts = PARTS.filter((part) => output.split("\n").includes(part));
  await must("git", ["archive", "--format=tar", "-o", `${folder}before.tar`, commit, ...parts]);
  await must("tar", ["-xf", `${folder}before.tar`, "-C", folder]);
  await Deno.remove(`${folder}before.tar`);
  await installPackages(folder);
  return folder;
}

/** Links the present packages when they are the same; otherwise installs its own, from the cache or the registry. */
async function installPackages(folder: string): Promise<void> {
  const [before, present] = await Promise.all(
    [folder, root].map((release) => Deno.readTextFile(`${release}deno.lock`)),
  );
  if (before === present) await Deno.symlink(`${root}node_modules`, `${folder}node_modules`);
  else await must(Deno.execPath(), ["install", "--frozen"], folder);
}

async function must(program: string, args: string[], cwd = root): Promise<void> {
  const { success, output } = await run(program, args, cwd);
  if (!success) throw new Error(`${program} ${args[0]} failed: ${output}`);
}

async function run(program: string, args: string[], cwd = root) {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  return { success, output: [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("") };
}
