import assert from "node:assert/strict";
import { pause } from "../wait.ts";
import { FrameCutter } from "./frames.ts";
import { CALM, Relay, type Weather } from "./relay.ts";
import { mulberry32 } from "shared/random.ts";

const COUNT = 60;

Deno.test("Relay passes messages whole and in order when the network is calm", async () => {
  await withEcho({ ...CALM, latencyMs: 2, jitterMs: 20 }, async (echo) => {
    assert.deepEqual(await echo.exchange(), numbers());
  });
});

Deno.test("Relay delivers messages twice and out of order, and loses none", async () => {
  await withEcho({ ...CALM, duplicated: 0.3, overtaken: 0.3 }, async (echo) => {
    const received = await echo.exchange();
    assert.deepEqual([...new Set(received)].sort((a, b) => a - b), numbers());
    assert.ok(received.length > COUNT, "nothing came twice");
    assert.ok(received.some((number, index) => number < received[index - 1]!), "nothing came out of order");
    assert.ok(echo.relay.duplicates > 0 && echo.relay.overtakings > 0);
  });
});

Deno.test("Relay that swallows keeps the connection open and delivers nothing", async () => {
  await withEcho(CALM, async (echo) => {
    echo.relay.weather = { ...CALM, isSwallowing: true };
    echo.send(1);
    await pause(200);
    assert.deepEqual(echo.received, []);
    assert.equal(echo.socket.readyState, WebSocket.OPEN);
  });
});

Deno.test("Relay that swallows does not report that the other end has gone", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const relay = new Relay(mulberry32(4));
  relay.target = listener.addr.port;
  using near = await Deno.connect({ hostname: "127.0.0.1", port: relay.port });
  const far = await listener.accept();
  relay.weather = { ...CALM, isSwallowing: true };
  far.close();
  const reading = near.read(new Uint8Array(1)).catch(() => null);
  assert.equal(await Promise.race([reading, pause(200).then(() => "nothing")]), "nothing");
  relay.cut();
  assert.equal(await reading, null);
  await relay.close();
});

Deno.test("Relay ends every connection and refuses new ones when it is down, and accepts them again when it is up", async () => {
  await withEcho(CALM, async (echo) => {
    const closed = new Promise((done) => echo.socket.onclose = done);
    await echo.relay.down();
    await closed;
    await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port: echo.relay.port }));
    echo.relay.up();
    using _again = await Deno.connect({ hostname: "127.0.0.1", port: echo.relay.port });
  });
});

Deno.test("FrameCutter cuts the same units however the bytes are split", () => {
  const head = new TextEncoder().encode("GET / HTTP/1.1\r\nupgrade: websocket\r\n\r\n");
  const short = [0x82, 0x03, 1, 2, 3];
  const masked = [0x81, 0x82, 9, 9, 9, 9, 1, 2];
  const long = [0x82, 126, 0x01, 0x2c, ...new Array(300).fill(7)];
  const huge = [0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70, ...new Array(70_000).fill(7)];
  const ping = [0x89, 0x00];
  const fragment = [0x02, 0x01, 5];
  const parts = [[...head], short, masked, long, huge, ping, fragment];
  const bytes = new Uint8Array(parts.flat());
  for (const size of [1, 7, 1_000, bytes.length]) {
    const cutter = new FrameCutter();
    const units = [];
    for (let at = 0; at < bytes.length; at += size) units.push(...cutter.take(bytes.slice(at, at + size)));
    assert.deepEqual(units.map((unit) => unit.bytes.length), parts.map((part) => part.length));
    // A head, a ping or a fragment may never be repeated.
    assert.deepEqual(units.map((unit) => unit.isMessage), [false, true, true, true, true, false, false]);
  }
});

interface Echo {
  relay: Relay;
  socket: WebSocket;
  received: number[];
  send(number: number): void;
  /** Sends all numbers and waits until all have returned and no more arrive. */
  exchange(): Promise<number[]>;
}

/** Opens a socket through a relay to an echo server. */
async function withEcho(weather: Weather, use: (echo: Echo) => Promise<void>): Promise<void> {
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send(data);
    return response;
  });
  const relay = new Relay(mulberry32(4));
  relay.target = server.addr.port;
  relay.weather = weather;
  const socket = new WebSocket(`ws://127.0.0.1:${relay.port}`);
  await new Promise((done) => socket.onopen = done);
  const received: number[] = [];
  socket.onmessage = ({ data }) => received.push(Number(data));
  const send = (number: number) => socket.send(String(number));
  try {
    await use({
      relay,
      socket,
      received,
      send,
      async exchange() {
        for (const number of numbers()) {
          send(number);
          await pause(3);
        }
        for (let before = -1; before < received.length || new Set(received).size < COUNT;) {
          before = received.length;
          await pause(500);
        }
        return received;
      },
    });
  } finally {
    relay.cut();
    await relay.close();
  }
}

function numbers(): number[] {
  return Array.from({ length: COUNT }, (_, index) => index);
}
