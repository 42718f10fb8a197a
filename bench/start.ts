/** Measures `deno task start` of a fresh clone, until a user is logged in and has a page. */
import { Caller } from "../e2e/caller.ts";
import { freePort } from "../e2e/product.ts";
import { pause } from "../e2e/wait.ts";
import type { Figure, Part } from "./figure.ts";

const root = new URL("../", import.meta.url).pathname;

export const start: Part = {
  name: "start",
  about:
    "P8: `deno run -A start.ts` (what `deno task start` is) in a clone of what is committed, until its client is logged in and has the page; " +
    "first with an empty cache (packages come over the network), then a second clone with the cache, then again there",
  measure,
};

async function* measure(): AsyncGenerator<Figure> {
  const dir = await Deno.makeTempDir({ prefix: "shigur-start-" });
  try {
    const env = { DENO_DIR: `${dir}/cache` };
    await clone(`${dir}/first`);
    yield {
      name: "fresh clone, nothing cached",
      value: await startOnce(`${dir}/first`, env),
      unit: "s",
      bar: { atMost: 30 },
    };
    await clone(`${dir}/second`);
    yield {
      name: "fresh clone, packages cached",
      value: await startOnce(`${dir}/second`, env),
      unit: "s",
      bar: { atMost: 30 },
    };
    yield {
      name: "again, warm",
      value: await startOnce(`${dir}/second`, env),
      unit: "s",
      bar: { atMost: 5 },
    };
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function clone(to: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", { args: ["clone", "-q", root, to] }).output();
  if (!success) throw new Error(`Cannot clone: ${new TextDecoder().decode(stderr)}`);
}

/** Returns the seconds until the page; stops the product afterwards. */
async function startOnce(cwd: string, env: Record<string, string>): Promise<number> {
  const port = freePort();
  const beganAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "start.ts"],
    cwd,
    env: { ...env, PORT: `${port}` },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let hasEnded = false;
  child.status.then(() => hasEnded = true);
  try {
    const url = `http://127.0.0.1:${port}`;
    while (!hasEnded && performance.now() - beganAt < 120_000) {
      if (await hasPage(cwd, url).catch(() => false)) return (performance.now() - beganAt) / 1000;
      await pause(50);
    }
    throw new Error(hasEnded ? "start ended by itself" : "No page within 120 s");
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}

async function hasPage(cwd: string, url: string): Promise<boolean> {
  const logins = JSON.parse(await Deno.readTextFile(`${cwd}/.data/logins.json`));
  const client = logins.find((login: { role: string }) => login.role === "client");
  const caller = await Caller.login(url, client);
  await caller.read("GET", "/api/auth/me");
  const page = await caller.call("GET", "/client");
  return page.ok && (await page.text()).includes("<html");
}
