import assert from "node:assert/strict";
import { createAdbClient } from "../agent/adb/client.ts";
import { startSimulator } from "./start_simulator.ts";
import { textsOf, withPhones } from "./testing/with_phones.ts";
import { tempFolder } from "../agent/testing/temp_folder.ts";

const NUMBER = "972501234567";

Deno.test("startSimulator() rebuilds the chats of an earlier run from the tap log", async () => {
  const tapLogPath = `${await tempFolder()}/taps.jsonl`;
  const traits = () => ({ language: "en" as const });
  await withPhones({ tapLogPath, traits }, async ({ openChat, tap }) => {
    await openChat(NUMBER, "from before");
    await tap("com.whatsapp:id/send");
  });
  await withPhones({ tapLogPath, traits }, async ({ openChat, dump, taps }) => {
    await openChat(NUMBER, null);
    assert.deepEqual(textsOf(await dump(), "com.whatsapp:id/message_text"), ["from before"]);
    assert.equal(taps().length, 1);
  });
});

Deno.test("startSimulator() leaves nothing running after shutdown, whatever was under way", {
  sanitizeOps: true,
  sanitizeResources: true,
}, async () => {
  const directory = await tempFolder();
  const simulator = await startSimulator({ devices: 3, speed: 0.001, tapLogPath: `${directory}/taps.jsonl` });
  const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
  const tracking = adb.trackDevices(new AbortController().signal)[Symbol.asyncIterator]();
  assert.equal((await tracking.next()).value.length, 3);
  const dumping = adb.shell("SIM0001", "uiautomator dump", { timeoutMs: 60_000 });
  const rebooting = simulator.phones[1]!.reboot();
  const ended = Promise.allSettled([dumping, rebooting, tracking.next(), tracking.next()]);
  // One round trip: the earlier requests have then reached the simulator.
  await adb.version();
  await simulator.shutdown();
  const [first, second, third] = await ended;
  assert.deepEqual([first.status, second.status, third.status], ["rejected", "rejected", "fulfilled"]);
});

Deno.test("startSimulator() makes the same phones for a seed: mostly one old account, every fourth with two", async () => {
  const directory = await tempFolder();
  const now = () => Date.parse("2026-11-22T08:00:00Z");
  const make = (seed: string) =>
    startSimulator({ devices: 40, seed, now, tapLogPath: `${directory}/${crypto.randomUUID()}.jsonl` });
  const simulators = await Promise.all([make("a"), make("a"), make("b")]);
  const [first, again, other] = simulators.map(({ phones }) => phones.map(({ traits }) => traits));
  assert.deepEqual(first, again);
  assert.notDeepEqual(first, other);
  assert.equal(first!.filter(({ accounts }) => accounts.length === 2).length, 10);
  const ages = first!.flatMap(({ accounts }) =>
    accounts.map((one) => (now() - one.firstInstalledAt) / 86_400_000)
  );
  assert.ok(ages.some((days) => days < 30) && ages.filter((days) => days > 100).length > ages.length / 2);
  for (const simulator of simulators) await simulator.shutdown();
});

Deno.test("startSimulator() refuses options out of bounds", () => {
  const tapLogPath = "/nonexistent/never-opened";
  for (const wrong of [{ devices: -1 }, { devices: 1.5 }, { speed: 0 }, { speed: NaN }, { faults: 2 }]) {
    assert.throws(() => startSimulator({ devices: 1, tapLogPath, ...wrong }), RangeError);
  }
});

Deno.test("the simulate service can do to a phone what a person in the room can", () =>
  withPhones({ devices: 2 }, async ({ simulator: { port, phones: [first, second] } }) => {
    assert.equal(await ask(port, "host:simulate:SIM0001:unplug"), "OKAY0000");
    assert.equal(first!.availability, "unplugged");
    await ask(port, "host:simulate:SIM0001:replug");
    assert.equal(first!.availability, "device");
    await ask(port, "host:simulate:SIM0002:ban:com.whatsapp/0");
    assert.equal(second!.accounts[0]!.state, "banned");
    await ask(port, "host:simulate:*:battery:4");
    assert.deepEqual([first!.battery.level, second!.battery.level], [4, 4]);
    await ask(port, "host:simulate:SIM0001:receive:com.whatsapp/0,+972501234567,הסר, בבקשה");
    assert.deepEqual(first!.accounts[0]!.visibleRows(NUMBER, 5).map((row) => [row.text, row.isIncoming]), [
      ["הסר, בבקשה", true],
    ]);
    await ask(port, "host:simulate:*:faults:0.5");
    for (
      const wrong of ["NONE:unplug", "SIM0001:explode", "*:faults:7", "SIM0001:battery:much", "nonsense"]
    ) {
      assert.match(await ask(port, `host:simulate:${wrong}`), /^FAIL/, wrong);
    }
  }));

async function ask(port: number, service: string): Promise<string> {
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const body = new TextEncoder().encode(service);
  const head = new TextEncoder().encode(body.length.toString(16).padStart(4, "0"));
  await conn.write(new Uint8Array([...head, ...body]));
  return await new Response(conn.readable).text();
}

Deno.test("the simulator ends a connection that does not speak its protocol, and serves the others", () =>
  withPhones({}, async ({ simulator: { port }, shell }) => {
    for (const noise of ["GET / HTTP/1.1\r\n\r\n", "zzzz", "0004host", "000chost:nothing"]) {
      const conn = await Deno.connect({ hostname: "127.0.0.1", port });
      await conn.write(new TextEncoder().encode(noise));
      await conn.closeWrite();
      await new Response(conn.readable).text();
    }
    assert.equal(await shell("echo still here"), "still here\n");
  }));
