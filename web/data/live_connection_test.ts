import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { connectLive, type LiveState, MAX_RETRIES, parseLiveEvent, retryDelayMs } from "./live_connection.ts";

/** Returns a connection with a socket and timers that the test controls. */
function bench() {
  const sockets: WebSocket[] = [];
  const timers: { act: () => void; ms: number }[] = [];
  const states: LiveState[] = [];
  const events: unknown[] = [];
  let opens = 0;
  let endings = 0;
  const connection = connectLive({
    url: "ws://test/ws",
    openSocket: () => {
      const socket = { readyState: WebSocket.CONNECTING, sent: [], close() {} } as unknown as WebSocket;
      sockets.push(socket);
      return socket;
    },
    schedule: (act, ms) => {
      const timer = { act, ms };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    onEvent: (event) => events.push(event),
    onOpen: () => opens += 1,
    onState: (state) => states.push(state),
    onSessionOver: () => endings += 1,
    log: () => {},
  });
  return {
    connection,
    sockets,
    states,
    events,
    opens: () => opens,
    endings: () => endings,
    open: () => sockets.at(-1)!.onopen!(new Event("open")),
    fail: (code?: number) => sockets.at(-1)!.onclose!(new CloseEvent("close", { code })),
    receive: (data: unknown) => sockets.at(-1)!.onmessage!(new MessageEvent("message", { data })),
    runTimer() {
      const timer = timers.shift();
      timer?.act();
      return timer?.ms;
    },
  };
}

Deno.test("retryDelayMs() doubles from a second and never passes half a minute", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(retryDelayMs), [1000, 2000, 4000, 8000, 16_000, 30_000]);
  fc.assert(fc.property(fc.nat(60), (tried) => {
    assert.equal(retryDelayMs(tried), Math.min(1000 * 2 ** tried, 30_000));
  }));
});

Deno.test("connectLive() retries five times with growing waits, then gives up", () => {
  const live = bench();
  const waits = [];
  for (let tried = 0; tried < MAX_RETRIES; tried++) {
    live.fail();
    waits.push(live.runTimer());
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000]);
  assert.equal(live.states.at(-1), "retrying");
  live.fail();
  assert.equal(live.states.at(-1), "given_up");
  assert.equal(live.runTimer(), undefined);
  assert.equal(live.sockets.length, 1 + MAX_RETRIES);
});

Deno.test("connectLive() restarts its count only after ten seconds open", () => {
  const live = bench();
  live.fail();
  assert.equal(live.runTimer(), 1000);
  live.open();
  live.fail();
  assert.equal(live.runTimer(), 2000, "a short life is not a success");
  live.open();
  assert.equal(live.runTimer(), 10_000);
  live.fail();
  assert.equal(live.runTimer(), 1000);
});

Deno.test("connectLive() gives up a socket whose server no longer answers", () => {
  const live = bench();
  live.open();
  live.runTimer();
  live.receive('{"type":"pong"}');
  live.runTimer();
  assert.deepEqual([live.sockets.length, live.states.at(-1)], [1, "open"]);
  live.runTimer();
  assert.equal(live.states.at(-1), "retrying");
  live.runTimer();
  assert.equal(live.sockets.length, 2);
});

Deno.test("connectLive() starts again at once when asked after giving up", () => {
  const live = bench();
  for (let tried = 0; tried <= MAX_RETRIES; tried++) {
    live.fail();
    live.runTimer();
  }
  live.connection.reconnect();
  live.open();
  assert.equal(live.states.at(-1), "open");
  assert.equal(live.opens(), 1);
  live.fail();
  assert.equal(live.runTimer(), 1000, "with all retries before it");
});

Deno.test("connectLive() distinguishes an ended session from a lost connection", () => {
  const live = bench();
  live.open();
  live.fail(1006);
  assert.equal(live.endings(), 0);
  live.runTimer();
  live.open();
  live.fail(4401);
  assert.equal(live.endings(), 1);
});

Deno.test("connectLive() stays closed after close()", () => {
  const live = bench();
  live.open();
  live.connection.close();
  assert.equal(live.sockets[0].onclose, null);
  assert.equal(live.states.at(-1), "closed");
  assert.equal(live.runTimer(), undefined);
});

Deno.test("connectLive() passes on our events and survives anything else", () => {
  const live = bench();
  live.open();
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (frame) => {
    live.receive(frame);
    assert.equal(parseLiveEvent(frame), undefined);
  }));
  live.receive('{"id":1,"type":"quota_changed","data":{"messageQuota":5}}');
  assert.deepEqual(live.events, [{ id: 1, type: "quota_changed", data: { messageQuota: 5 } }]);
});
