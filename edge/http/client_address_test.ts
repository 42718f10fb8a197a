import assert from "node:assert/strict";
import { Hono } from "hono";
import { clientAddress } from "./client_address.ts";

const app = new Hono().get("/", (c) => c.text(clientAddress(c)));

async function addressOf(hostname: string, forwardedFor?: string): Promise<string> {
  const headers = new Headers(forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor });
  return await (await app.request("/", { headers }, { remoteAddr: { transport: "tcp", hostname, port: 1 } }))
    .text();
}

Deno.test("clientAddress() returns the peer's address, and of IPv6 only its network", async () => {
  assert.equal(await addressOf("203.0.113.7"), "203.0.113.7");
  assert.equal(await addressOf("::ffff:203.0.113.7"), "203.0.113.7");
  assert.equal(await addressOf("2001:DB8:1:2:3:4:5:6"), "2001:db8:1:2");
  assert.equal(await addressOf("2001:db8::5"), "2001:db8:0:0");
  assert.equal(await addressOf("2001:db8:1:2::"), "2001:db8:1:2");
  assert.equal(await addressOf("::1"), "0:0:0:0");
});

Deno.test("clientAddress() trusts only the last hop of X-Forwarded-For, from a proxy on this machine", async () => {
  assert.equal(await addressOf("127.0.0.1", "198.51.100.1, 203.0.113.7"), "203.0.113.7");
  assert.equal(await addressOf("::1", "2001:db8:1:2::9"), "2001:db8:1:2");
  assert.equal(await addressOf("203.0.113.7", "198.51.100.1"), "203.0.113.7");
  assert.equal(await addressOf("127.0.0.1", ""), "127.0.0.1");
  assert.equal(await addressOf("127.0.0.1", "203.0.113.7:40001"), "203.0.113.7");
  assert.equal(await addressOf("127.0.0.1", "[2001:db8:1:2::9]:40001"), "2001:db8:1:2");
});
