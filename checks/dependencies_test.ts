import assert from "node:assert/strict";

/** Compares the decisions in docs/decisions/007-dependencies.md with the repository. */
const root = new URL("../", import.meta.url).pathname;

Deno.test("every direct dependency has one exact version, and a line with its reason", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(`${root}import_map.json`));
  const packages = Object.entries<string>(imports).filter(([name]) => !name.endsWith("/"));
  for (const [name, target] of packages) {
    assert.ok(target.startsWith(`npm:${name}@`), target);
    assert.match(target, /@\d+\.\d+\.\d+$/, `${name} is not pinned`);
  }
  const text = await Deno.readTextFile(`${root}docs/decisions/007-dependencies.md`);
  const named = [...text.matchAll(/^\| (.+?) +\|/gm)].flatMap(([, names]) => names!.split(/, /)).filter((
    name,
  ) => name !== "package" && !/^-+$/.test(name));
  assert.deepEqual(named.map((name) => name.trim()).sort(), packages.map(([name]) => name).sort());
});

Deno.test("every package in the lock has its checksum, and no install script may run", async () => {
  const lock = JSON.parse(await Deno.readTextFile(`${root}deno.lock`));
  const packages = Object.entries<{ integrity: string }>(lock.npm);
  assert.ok(packages.length > 100);
  for (const [name, { integrity }] of packages) assert.match(integrity, /^sha512-[\w+/]{86}==$/, name);
  assert.deepEqual(Object.keys(lock).filter((key) => ["jsr", "remote", "redirects"].includes(key)), []);
  const settings = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
  assert.deepEqual([settings.lock.frozen, settings.allowScripts], [true, []]);
});
