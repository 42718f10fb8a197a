import assert from "node:assert/strict";
import { CLEAN, INFECTED, startFakeClamd, startPeer } from "../testing/fake_clamd.ts";
import { openClamd, type ScanResult, SCANS_AT_ONCE, SCANS_WAITING } from "./clamd.ts";
import { ScanError } from "./clamd_answer.ts";

/** No time passes. */
const still = (_ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => signal.addEventListener("abort", () => done()));
const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("openClamd() sends clamd the whole file, also an empty one or 10 MB, and returns the verdict", async () => {
  const heard: Uint8Array[] = [];
  await using clamd = startFakeClamd((file) => {
    heard.push(file);
    return file.length === 300 ? INFECTED : CLEAN;
  });
  const results: ScanResult[] = [];
  const scan = openClamd(clamd.address, { sleep: still, onResult: (result) => results.push(result) });
  const files = [0, 1, 300, 10 * 1024 * 1024].map((length) =>
    new Uint8Array(length).map((_, at) => at * 7 ^ at >> 10)
  );
  const found = [];
  for (const file of files) found.push((await scan(file)).found);
  assert.deepEqual(found, [null, null, "Eicar-Test-Signature", null]);
  assert.deepEqual(results, ["clean", "clean", "found", "clean"]);
  heard.forEach((file, index) => assert.ok(file.every((byte, at) => byte === files[index]![at])));
  assert.deepEqual(heard.map(({ length }) => length), files.map(({ length }) => length));
});

const answers = (answer: string) => async (conn: Deno.Conn) => void await conn.write(bytesOf(answer));
const NO_CLAMD: Record<string, [talk: (conn: Deno.Conn) => Promise<void>, reason: RegExp]> = {
  "closes without a word": [async () => {}, /./],
  "closes in the middle of the file": [async (conn) => void await conn.read(new Uint8Array(1000)), /./],
  "calls a part of the file clean": [answers(CLEAN), /./],
  "never stops talking": [
    async (conn) => {
      for (;;) await conn.write(bytesOf("stream: "));
    },
    /too long/,
  ],
};
for (const [what, [talk, reason]] of Object.entries(NO_CLAMD)) {
  Deno.test(`openClamd() returns no verdict from a clamd that ${what}`, async () => {
    await using peer = startPeer(talk);
    const results: ScanResult[] = [];
    const scan = openClamd(peer.address, { sleep: still, onResult: (result) => results.push(result) });
    // More than the system buffers for a peer that does not read.
    await assert.rejects(scan(new Uint8Array(64 * 1024 * 1024)), (error) => {
      assert.ok(error instanceof ScanError);
      assert.match(error.message, reason);
      return true;
    });
    assert.deepEqual(results, ["failed"]);
  });
}

for (
  const [answer, reason] of [
    ["INSTREAM size limit exceeded. ERROR\0", /^ScanError: clamd refused: INSTREAM size limit exceeded\.$/],
    ["stream: OK", /^ScanError: Cannot read clamd's answer: it is "stream: OK"$/],
    ["HTTP/1.1 400 Bad Request\r\n\r\n", /^ScanError: Cannot read clamd's answer/],
    ["", /^ScanError: Cannot read clamd's answer: it is ""$/],
  ] as const
) {
  Deno.test(`openClamd() returns no verdict from a clamd that answers ${JSON.stringify(answer)}`, async () => {
    await using clamd = startFakeClamd(() => answer);
    await assert.rejects(openClamd(clamd.address, { sleep: still })(bytesOf("0501234567")), reason);
  });
}

Deno.test("openClamd() names the address when nothing listens there", async () => {
  // tcpmux (RFC 1078), which systems no longer serve.
  const scan = openClamd({ hostname: "127.0.0.1", port: 1 }, { sleep: still });
  await assert.rejects(
    scan(bytesOf("a")),
    /^ScanError: Cannot ask clamd at 127\.0\.0\.1:1: ConnectionRefused/,
  );
});

Deno.test("openClamd() closes the connection when its time is over, and connects again the next time", async () => {
  const time = Promise.withResolvers<void>();
  const [heard, hungUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSlow = true;
  await using peer = startPeer(async (conn) => {
    const command = new Uint8Array(1000);
    await conn.read(command);
    if (!isSlow) return await answers(CLEAN)(conn);
    heard.resolve();
    // Sends nothing, and reads until the other side closes.
    while (await conn.read(command).catch(() => null) !== null);
    hungUp.resolve();
  });
  const sleep = (ms: number, signal: AbortSignal) =>
    isSlow ? Promise.race([time.promise, still(ms, signal)]) : still(ms, signal);
  const scan = openClamd(peer.address, { sleep });
  const slow = assert.rejects(scan(bytesOf("a")), /^ScanError: clamd gave no answer in 20 s$/);
  await heard.promise;
  time.resolve();
  await slow;
  await hungUp.promise;
  isSlow = false;
  assert.deepEqual(await scan(bytesOf("a")), { found: null });
});

Deno.test("openClamd() scans four files at a time, queues others in order, and refuses one too many", async () => {
  const asked: { name: string; answer: PromiseWithResolvers<string> }[] = [];
  let wake = Promise.withResolvers<void>();
  await using clamd = startFakeClamd((file) => {
    const answer = Promise.withResolvers<string>();
    asked.push({ name: new TextDecoder().decode(file), answer });
    wake.resolve();
    return answer.promise;
  });
  const until = async (count: number) => {
    while (asked.length < count) {
      await wake.promise;
      wake = Promise.withResolvers();
    }
  };
  const scan = openClamd(clamd.address, { sleep: still });
  const total = SCANS_AT_ONCE + SCANS_WAITING;
  const scans = Array.from({ length: total }, (_, n) => scan(bytesOf(`${n}`)));
  await until(SCANS_AT_ONCE);
  await assert.rejects(scan(bytesOf("one too many")), /^ScanError: Too many files wait for clamd$/);
  for (let n = 0; n < total; n++) {
    assert.equal(asked.length, Math.min(total, SCANS_AT_ONCE + n), "no more than four unanswered");
    asked[n]!.answer.resolve(n === 5 ? INFECTED : CLEAN);
    await until(Math.min(total, SCANS_AT_ONCE + n + 1));
  }
  const names = asked.map(({ name }) => Number(name));
  assert.deepEqual(names.slice(SCANS_AT_ONCE), Array.from({ length: SCANS_WAITING }, (_, n) => n + 4));
  const found = await Promise.all(scans);
  const infected = found.flatMap(({ found }, n) => found === null ? [] : [n]);
  assert.deepEqual(infected, [Number(asked[5]!.name)], "each is told of its own file");
  const again = scan(bytesOf("again"));
  await until(total + 1);
  asked[total]!.answer.resolve(CLEAN);
  assert.deepEqual(await again, { found: null }, "every place was given back");
});
