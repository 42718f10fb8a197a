import assert from "node:assert/strict";
import { networkCause } from "./network_cause.ts";
import { AUTHORITY_PATH, FaultyServers, NO_NAME, NOBODY } from "./testing/faulty_servers.ts";

async function causeOf(url: string, init?: RequestInit & { client?: Deno.HttpClient }) {
  try {
    const response = await fetch(url, init);
    await response.body?.cancel();
    return null;
  } catch (error) {
    return networkCause(error);
  }
}

Deno.test("networkCause() names the reason why fetch got no answer", async () => {
  await using servers = new FaultyServers();
  const plain = servers.status(200);
  const late = Promise.withResolvers<void>();
  const silent = servers.silent(late.promise);
  assert.equal(await causeOf(NOBODY), "refused");
  assert.equal(await causeOf(NO_NAME), "dns");
  assert.equal(await causeOf(servers.tls("good")), "tls_untrusted");
  assert.equal(await causeOf(servers.tls("expired")), "tls_expired");
  assert.equal(await causeOf(servers.tls("not_yet")), "tls_not_yet_valid");
  assert.equal(await causeOf(plain.replace("http:", "https:")), "tls");
  assert.equal(await causeOf(servers.tls("good").replace("https:", "http:")), "not_http");
  assert.equal(await causeOf(servers.cut()), "cut");
  assert.equal(await causeOf(servers.cut().replace("http:", "https:")), "tls");
  assert.equal(await causeOf(silent, { signal: AbortSignal.timeout(1) }), "timeout");
  late.resolve();
});

Deno.test("networkCause() distinguishes a trusted certificate of another name from an untrusted one", async () => {
  await using servers = new FaultyServers();
  const client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(AUTHORITY_PATH)] });
  assert.equal(await causeOf(servers.tls("good"), { client }), null);
  assert.equal(await causeOf(servers.tls("other_name"), { client }), "tls_wrong_name");
  client.close();
});

Deno.test("networkCause() returns nothing for an error that the network did not cause", () => {
  assert.equal(networkCause(new Error("SQLITE_FULL: database or disk is full")), null);
  assert.equal(networkCause("NetworkError: failed to connect to WebSocket: tcp connect error"), null);
  assert.equal(networkCause(new Error("No route to host (os error 113)")), "unreachable");
});
