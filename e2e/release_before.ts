/** The release before this one, unpacked so that its programs can be run beside the present ones. */
const root = new URL("../", import.meta.url).pathname;
/** What an edge and an agent are run from. */
const PARTS = ["agent", "simulator", "edge", "shared", "deno.json", "deno.lock", "import_map.json"];

/** Unpacks it into a new folder, whose path ends in a slash. @throws Error that says what to do without its commit */
export async function unpackReleaseBefore(): Promise<string> {
  // Named again when a release is made.
  const commit = (await Deno.readTextFile(new URL("./release_before.txt", import.meta.url))).trim();
  if (!(await run("git", ["cat-file", "-e", `${commit}^{commit}`])).success) {
    throw new Error(
      `This clone lacks the commit ${commit}, the release that updates start from (e2e/release_before.txt). ` +
        "Fetch the whole history: git fetch --unshallow",
    );
  }
  const folder = `${await Deno.makeTempDir({ prefix: "shigur-before-" })}/`;
  const { told } = await run("git", ["ls-tree", "--name-only", commit]);
  // Before it stood at the top, the simulator was in agent/.
  const parts = PARTS.filter((part) => told.split("\n").includes(part));
  await must("git", ["archive", "--format=tar", "-o", `${folder}before.tar`, commit, ...parts]);
  await must("tar", ["-xf", `${folder}before.tar`, "-C", folder]);
  await Deno.remove(`${folder}before.tar`);
  await installPackages(folder);
  return folder;
}

/** The packages of the present release where they are the same; else its own, from the cache or the registry. */
async function installPackages(folder: string): Promise<void> {
  const [before, present] = await Promise.all(
    [folder, root].map((release) => Deno.readTextFile(`${release}deno.lock`)),
  );
  if (before === present) await Deno.symlink(`${root}node_modules`, `${folder}node_modules`);
  else await must(Deno.execPath(), ["install", "--frozen"], folder);
}

async function must(program: string, args: string[], cwd = root): Promise<void> {
  const { success, told } = await run(program, args, cwd);
  if (!success) throw new Error(`${program} ${args[0]} failed: ${told}`);
}

async function run(program: string, args: string[], cwd = root) {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  return { success, told: [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("") };
}
