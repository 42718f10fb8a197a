import assert from "node:assert/strict";
import { freePort, whenFree } from "./free_port.ts";

/** Listens in another thread, reports it, and closes on command. */
const HOLDER = `onmessage = ({ data: port }) => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port });
  onmessage = () => setTimeout(() => listener.close(), 20);
  postMessage("held");
};`;

Deno.test("whenFree() listens on a port once its holder releases it, and throws other errors", async () => {
  const port = freePort();
  const url = URL.createObjectURL(new Blob([HOLDER], { type: "text/javascript" }));
  const holder = new Worker(url, { type: "module" });
  const held = new Promise((done) => holder.onmessage = done);
  holder.postMessage(port);
  await held;
  assert.throws(() => Deno.listen({ hostname: "127.0.0.1", port }), Deno.errors.AddrInUse);
  holder.postMessage("let go");
  using listener = whenFree(() => Deno.listen({ hostname: "127.0.0.1", port }));
  assert.equal(listener.addr.port, port);
  assert.throws(() => whenFree(() => Deno.listen({ hostname: "127.0.0.1", port: -1 })));
  holder.terminate();
  URL.revokeObjectURL(url);
});
