import assert from "node:assert/strict";
import { runSh, type ShHost } from "./sh_run.ts";

function host(files: Record<string, string> = {}): ShHost {
  return {
    command(name) {
      if (name === "echo") return ({ args, out }) => (out(`${args.join(" ")}\n`), 0);
      if (name === "args") return ({ args, out }) => (out(JSON.stringify(args)), 0);
      if (name === "true") return () => 0;
      if (name === "false") return () => 1;
      if (name === "fail") return ({ err }) => (err("why\n"), 3);
      if (name === "cat") return ({ stdin, out }) => (out(stdin), 0);
    },
    readFile: (path) => Object.hasOwn(files, path) ? new TextEncoder().encode(files[path]) : null,
    writeFile: (path, bytes) => void (files[path] = new TextDecoder().decode(bytes)),
    glob: (pattern) => pattern === "/a/*" ? ["/a/1", "/a/2"] : [],
  };
}

async function run(source: string, files?: Record<string, string>) {
  const { stdout, stderr, exitCode } = await runSh(source, host(files));
  const decoder = new TextDecoder();
  return { out: decoder.decode(stdout), err: decoder.decode(stderr), exitCode };
}

const OUTPUTS: [string, string][] = [
  ["echo a; echo b && echo c || echo d", "a\nb\nc\n"],
  ["false && echo a; echo b", "b\n"],
  ["false || echo a && echo b", "a\nb\n"],
  ["! false && echo a", "a\n"],
  ["if true; then echo a; else echo b; fi", "a\n"],
  ["if false; then echo a; elif true; then echo b; else echo c; fi", "b\n"],
  ["if false\nthen echo a\nelse\necho b\nfi", "b\n"],
  [`x="a  b"; args $x "$x" '$x' "\${x}c"`, '["a","b","a  b","$x","a  bc"]'],
  ["x=1; (x=2; echo $x); { echo $x; }", "2\n1\n"],
  ['args "$(echo a b)" $(echo c d) e$(echo f)', '["a b","c","d","ef"]'],
  ["args $none '' \"$none\"", '["",""]'],
  ["args /a/* '/a/*' /b/*", '["/a/1","/a/2","/a/*","/b/*"]'],
  ["up=123.45; echo ${up%%.*} ${up%.*} ${up#*.} ${up##1} ${none:-z}", "123 123 45 23.45 z\n"],
  ["x=a.b.c; echo ${x%%.*} ${x%.*} ${x##*.} ${x#*.}", "a a.b c b.c\n"],
  ["fail; echo $?", "3\n"],
  ["echo hidden >/dev/null; fail 2>&1", "why\n"],
  ["echo a | cat | cat", "a\n"],
  ["cat < /f", "in f"],
  ["echo new > /g; echo more >> /g; cat < /g", "new\nmore\n"],
  ["echo a\\\nb # no", "ab\n"],
];

for (const [source, expected] of OUTPUTS) {
  Deno.test(`runSh() runs ${JSON.stringify(source)}`, async () => {
    assert.equal((await run(source, { "/f": "in f" })).out, expected);
  });
}

Deno.test("runSh() returns the code of exit, of the last command, and 127 for an unknown one", async () => {
  assert.equal((await run("exit 7; echo never")).exitCode, 7);
  assert.deepEqual(await run("echo a; (exit 4)"), { out: "a\n", err: "", exitCode: 4 });
  assert.equal((await run("true; fail")).exitCode, 3);
  const unknown = await run("nonesuch -x");
  assert.deepEqual([unknown.exitCode, unknown.out], [127, ""]);
  assert.match(unknown.err, /nonesuch/);
});

Deno.test("runSh() refuses an unreadable script with code 2 and runs none of it", async () => {
  for (
    const source of [
      "echo a; if true",
      "echo a; echo 'b",
      "echo a; for x in 1; do echo b; done",
      "(echo a",
      "&& a",
    ]
  ) {
    const { out, err, exitCode } = await run(source);
    assert.deepEqual([out, exitCode], ["", 2], source);
    assert.notEqual(err, "");
  }
  assert.equal((await run(`${"(".repeat(200)}echo a${")".repeat(200)}`)).exitCode, 2);
});

Deno.test("runSh() names the file that cannot be read", async () => {
  const { err, exitCode } = await run("cat < /none");
  assert.equal(exitCode, 1);
  assert.match(err, /\/none/);
});
