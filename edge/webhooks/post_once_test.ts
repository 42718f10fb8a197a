import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parseNetwork } from "../public_address.ts";
import { startPeer } from "../testing/fake_clamd.ts";
import { startHook } from "../testing/fake_hook.ts";
import type { Resolve } from "./find_addresses.ts";
import { openPost, type PostRules } from "./post_once.ts";

const LOOPBACK = [parseNetwork("127.0.0.0/8")!];
const none: Resolve = () => Promise.reject(new Error("no such name"));
const BODY = JSON.stringify({ greeting: "שלום" });

function post(url: string, rules: Partial<PostRules> = {}) {
  return openPost({ resolve: none, allowed: LOOPBACK, ...rules })(url, { "webhook-id": "a" }, BODY);
}

Deno.test("a receiver gets the body and headers at the URL's path, and its status decides", async () => {
  const statuses = [200, 204, 299, 300, 404, 500];
  await using hook = startHook((_, no) => new Response(null, { status: statuses[no - 1]! }));
  const ends = [];
  for (let no = 1; no <= 6; no++) ends.push(await post(hook.url));
  assert.deepEqual(ends, [
    { status: 200, reason: null },
    { status: 204, reason: null },
    { status: 299, reason: null },
    { status: 300, reason: "refused" },
    { status: 404, reason: "refused" },
    { status: 500, reason: "refused" },
  ]);
  const [{ body, path, headers, id }] = hook.calls as [typeof hook.calls[number]];
  assert.deepEqual([body, path, id], [{ greeting: "שלום" }, "/hook?for=test", "a"]);
  assert.equal(headers.get("host"), new URL(hook.url).host);
});

Deno.test("no redirect is followed, also to where nothing is allowed", async () => {
  await using elsewhere = startHook();
  for (const status of [301, 302, 303, 307, 308]) {
    await using hook = startHook(() => new Response(null, { status, headers: { location: elsewhere.url } }));
    assert.deepEqual(await post(hook.url), { status, reason: "refused" });
  }
  assert.deepEqual(elsewhere.calls, []);
});

Deno.test("nothing is sent to an address that is not allowed, in whatever form it is written", async () => {
  const refused = [
    "http://127.0.0.1/",
    "http://localhost/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/latest/meta-data/",
    "http://169.254.169.254/latest/meta-data/",
    "https://10.0.0.1:8443/",
    "http://[fd00:ec2::254]/",
    "http://[64:ff9b::a00:1]/",
    "http://0.0.0.0/",
    // Ports of other services, and what is no address of a webhook.
    "http://8.8.8.8:22/",
    "https://8.8.8.8:6379/",
    "http://user:pass@8.8.8.8/",
    "ftp://8.8.8.8/",
    "file:///etc/passwd",
    "gopher://8.8.8.8/",
    "",
    "no url",
    `https://8.8.8.8/${"x".repeat(500)}`,
  ];
  const rules = { allowed: [], resolve: () => Promise.resolve(["127.0.0.1"]) };
  for (const url of refused) {
    assert.deepEqual(await post(url, rules), { status: null, reason: "address" }, url);
  }
});

Deno.test("one private address among a name's addresses refuses the name", async () => {
  const names: Record<string, string[]> = {
    "mixed.test": ["8.8.8.8", "10.0.0.1"],
    "six.test": ["2606:4700:4700::1111", "::ffff:127.0.0.1"],
    "zone.test": ["fe80::1%eth0"],
    "strange.test": ["not an address"],
  };
  const resolve: Resolve = (name) => Promise.resolve(names[name]!);
  for (const name of Object.keys(names)) {
    const end = await post(`http://${name}/`, { allowed: [], resolve });
    assert.deepEqual(end, { status: null, reason: "address" }, name);
  }
  assert.deepEqual(await post("http://gone.test/"), { status: null, reason: "name" });
  assert.deepEqual(await post("http://empty.test/", { resolve: () => Promise.resolve([]) }), {
    status: null,
    reason: "name",
  });
});

Deno.test("the address that was checked is the one connected to: a name's second answer is never asked for", async () => {
  await using good = startHook();
  await using inner = startHook();
  let asked = 0;
  // First the allowed address, from then on a forbidden one, as a hostile name server answers.
  const resolve: Resolve = () => Promise.resolve([++asked === 1 ? "127.0.0.1" : "127.0.0.2"]);
  const allowed = [parseNetwork("127.0.0.1/32")!];
  const first = await post(`http://rebind.test:${good.port}/`, { allowed, resolve });
  assert.deepEqual([first, asked], [{ status: 204, reason: null }, 1]);
  // The next try asks again, and is refused by what it finds.
  const second = await post(`http://rebind.test:${good.port}/`, { allowed, resolve });
  assert.deepEqual([second, asked], [{ status: null, reason: "address" }, 2]);
  assert.deepEqual([good.calls.length, inner.calls.length], [1, 0]);
  assert.equal(good.calls[0]!.headers.get("host"), `rebind.test:${good.port}`);
});

Deno.test("an address that does not answer gives way to the next one", async () => {
  await using hook = startHook();
  const resolve: Resolve = () => Promise.resolve(["127.0.0.9", "127.0.0.1"]);
  assert.deepEqual(await post(`http://two.test:${hook.port}/`, { resolve }), { status: 204, reason: null });
  assert.deepEqual(await post("http://127.0.0.1:1/"), { status: null, reason: "connect" });
});

Deno.test("TLS is under the URL's name, though the connection is to an address", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const run = promisify(execFile);
    const [key, certificate] = [`${folder}/key.pem`, `${folder}/cert.pem`];
    await run("openssl", [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"],
      ...["-keyout", key, "-out", certificate, "-subj", "/CN=hook.test"],
      ...["-addext", "subjectAltName=DNS:hook.test", "-addext", "basicConstraints=critical,CA:FALSE"],
    ]);
    const cert = await Deno.readTextFile(certificate);
    let served = 0;
    await using server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      cert,
      key: await Deno.readTextFile(key),
      onListen() {},
    }, () => {
      served++;
      return new Response();
    });
    const { port } = server.addr as Deno.NetAddr;
    const resolve: Resolve = () => Promise.resolve(["127.0.0.1"]);
    const rules = { resolve, caCerts: [cert] };
    assert.deepEqual(await post(`https://hook.test:${port}/`, rules), { status: 200, reason: null });
    assert.deepEqual(await post(`https://other.test:${port}/`, rules), { status: null, reason: "tls" });
    assert.deepEqual(await post(`https://hook.test:${port}/`, { resolve }), { status: null, reason: "tls" });
    assert.equal(served, 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a receiver that lies is left after its time or its bytes, and nothing stays open", async () => {
  const text = (words: string) => new TextEncoder().encode(words);
  const forever = async (conn: Deno.Conn) => {
    while (await conn.read(new Uint8Array(999)) !== null);
  };
  const talks: [string, (conn: Deno.Conn) => Promise<unknown>, object][] = [
    ["says nothing", forever, { status: null, reason: "timeout" }],
    ["hangs up", () => Promise.resolve(), { status: null, reason: "broken" }],
    ["speaks something else", (conn) => conn.write(text("SSH-2.0-OpenSSH_9.9\r\n\r\n\r\n")), {
      status: null,
      reason: "broken",
    }],
    ["stops in the headers", async (conn) => {
      await conn.write(text("HTTP/1.1 200 OK\r\ncontent-"));
    }, { status: null, reason: "broken" }],
    ["never ends its headers", async (conn) => {
      await conn.write(text("HTTP/1.1 200 OK\r\n"));
      for (;;) await conn.write(text(`x: ${"y".repeat(999)}\r\n`));
    }, { status: null, reason: "too_long" }],
    ["drips its headers", async (conn) => {
      for (const letter of "HTTP/1.1 200 OK\r\n".repeat(99)) {
        await conn.write(text(letter));
        await new Promise((done) => setTimeout(done, 20));
      }
    }, { status: null, reason: "timeout" }],
    ["says yes, and then talks without end", async (conn) => {
      await conn.write(text("HTTP/1.1 200 OK\r\n\r\n"));
      for (;;) await conn.write(new Uint8Array(65_536));
    }, { status: 200, reason: null }],
    ["says yes before it has read", async (conn) => {
      await conn.write(text("HTTP/1.1 202 Accepted\r\n\r\n"));
      await forever(conn);
    }, { status: 202, reason: null }],
    ["begins with other answers", async (conn) => {
      await conn.write(
        text(
          "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        ),
      );
    }, { status: 200, reason: null }],
    ["only ever begins", async (conn) => {
      for (;;) await conn.write(text("HTTP/1.1 100 Continue\r\n\r\n"));
    }, { status: null, reason: "broken" }],
    ["has a strange status", async (conn) => {
      await conn.write(text("HTTP/1.1 999 OK\r\n\r\n"));
    }, { status: null, reason: "broken" }],
  ];
  for (const [what, talk, end] of talks) {
    await using peer = startPeer(async (conn) => void await Promise.resolve(talk(conn)).catch(() => {}));
    const withinMs = "reason" in end && end.reason === "timeout" ? 300 : 20_000;
    assert.deepEqual(await post(`http://127.0.0.1:${peer.address.port}/`, { withinMs }), end, what);
  }
});

Deno.test("an old look-up that never ends counts as a timeout", async () => {
  const end = await post("http://slow.test/", { withinMs: 50, resolve: () => new Promise(() => {}) });
  assert.deepEqual(end, { status: null, reason: "timeout" });
});
