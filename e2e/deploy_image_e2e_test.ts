/**
 * Checks deploy/Containerfile: the copied files are sufficient, and the command equals the tasks'. No image is
 * built here.
 */
import assert from "node:assert/strict";
import { cp, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import config from "../deno.json" with { type: "json" };
import { commandOf, readDeployFile, startEdge, UNITS } from "./deploy_page.ts";
import { freePort } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const root = new URL("../", import.meta.url).pathname;
const containerfile = readDeployFile("Containerfile");
/** The only argument that differs from the task: the writable folders. */
const MAY_WRITE = /^--allow-write(=.*)?$/;

Deno.test("image and unit start an edge with the arguments of `deno task edge`, except where it may write", () => {
  const task = wordsBut(config.tasks.edge.split(" "));
  assert.deepEqual(wordsBut(imageCommand()), task);
  const { words: [, ...words] } = commandOf(readDeployFile(`systemd/${UNITS.edge}`), "8001");
  assert.deepEqual(wordsBut(["deno", ...words]), task);
  assert.ok(containerfile.includes(`deno@${Deno.version.deno} `));
});

Deno.test("an edge becomes ready with the files and packages of the image", async () => {
  const dir = await Deno.makeTempDir({ prefix: "shigur-image-" });
  for (const path of takenAlong()) {
    // Screens and packages are made during the image's build.
    if (path === "node_modules" || !await stat(root + path).catch(() => null)) continue;
    await mkdir(dirname(`${dir}/${path}`), { recursive: true });
    await cp(root + path, `${dir}/${path}`, { recursive: true, filter: (from) => !isIgnored(from) });
  }
  await run([
    "deno",
    "run",
    "--allow-read=.",
    "--allow-write=import_map.json",
    `${root}deploy/keep_edge_imports.ts`,
  ], dir);
  await run(["deno", "install", "-q", "--frozen=false"], dir);
  const packages = new Set([...Deno.readDirSync(`${dir}/node_modules`)].map(({ name }) => name));
  assert.ok(packages.has("hono") && !packages.has("react") && !packages.has("playwright-core"));

  const port = `${freePort()}`;
  // Setting a password makes the edge read the file of common passwords.
  const env = { PORT: port, DATA_DIR: `${dir}/data`, ADMIN_PASSWORD: "sisma-aruka-1" };
  const edge = startEdge(imageCommand(), env, dir);
  try {
    await edge.line('{"event":"edge_ready"');
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await until(isReady, PATIENCE_MS, "the edge is ready");
  } finally {
    await edge.end("SIGTERM");
    await Deno.remove(dir, { recursive: true });
  }
});

function imageCommand(): string[] {
  return JSON.parse(/^CMD (\[.*\])$/m.exec(containerfile)![1]!);
}

/** Returns the repository paths that the last stage copies. */
function takenAlong(): string[] {
  const copied = [...containerfile.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, from]) =>
    from!.split(" ")
  );
  return copied.filter((path) => path.startsWith("/opt/shigur/")).map((path) =>
    path.slice("/opt/shigur/".length)
  );
}

function isIgnored(path: string): boolean {
  return path.endsWith("_test.ts") || path.endsWith("/testing");
}

function wordsBut(words: string[]): string[] {
  return words.filter((word) => !MAY_WRITE.test(word));
}

async function run([program, ...args]: string[], cwd: string): Promise<void> {
  const { code, stderr } = await new Deno.Command(program!, { args, cwd }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
}
