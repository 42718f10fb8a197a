import assert from "node:assert/strict";
import { openTestApp } from "../testing/test_app.ts";

const PUBLIC = new URL("https://shigur.example");
const OWN = "http://localhost";

/** A request of `person` with this Origin or none; it carries their session unless `bare`. */
interface Case {
  origin: string | null;
  bare?: boolean;
  isRefused: boolean;
}

const WITHOUT_PUBLIC_URL: Case[] = [
  { origin: OWN, isRefused: false },
  { origin: "https://localhost", isRefused: false }, // TLS may end before us
  { origin: null, isRefused: true },
  { origin: "null", isRefused: true },
  { origin: "", isRefused: true },
  { origin: "http://localhost:8001", isRefused: true },
  { origin: "http://localhost.attacker.example", isRefused: true },
  { origin: "http://attacker.example", isRefused: true },
  { origin: "http://sub.localhost", isRefused: true },
  { origin: "chrome-extension://localhost", isRefused: true },
  { origin: "localhost", isRefused: true },
  { origin: "http://[", isRefused: true },
  { origin: null, bare: true, isRefused: false },
  { origin: "http://attacker.example", bare: true, isRefused: true },
];
const WITH_PUBLIC_URL: Case[] = [
  { origin: PUBLIC.origin, isRefused: false },
  { origin: "http://shigur.example", isRefused: true },
  { origin: "https://shigur.example:8443", isRefused: true },
  { origin: null, isRefused: true },
];

for (const [publicUrl, cases] of [[undefined, WITHOUT_PUBLIC_URL], [PUBLIC, WITH_PUBLIC_URL]] as const) {
  for (const { origin, bare = false, isRefused } of cases) {
    const what = `origin ${origin ?? "missing"}${bare ? ", no cookie" : ""}, ${publicUrl ?? "no public URL"}`;
    Deno.test(`originGuard() ${isRefused ? "refuses" : "lets pass"} ${what}`, async () => {
      await using edge = await openTestApp({ publicUrl });
      const client = await edge.addPerson();
      const headers = new Headers(bare ? {} : { cookie: client.cookie });
      if (origin !== null) headers.set("origin", origin);
      const ask = (path: string, method: string, more: Record<string, string> = {}) => {
        const all = new Headers(headers);
        for (const [name, value] of Object.entries(more)) all.set(name, value);
        return edge.app.request(`${publicUrl?.origin ?? OWN}${path}`, { method, headers: all });
      };
      const acted = await ask("/api/auth/logout", "POST");
      assert.equal(acted.status, isRefused ? 403 : 204);
      if (isRefused) assert.equal((await acted.json()).code, "foreign_origin");
      const upgraded = await ask("/ws", "GET", { upgrade: "websocket", connection: "upgrade" });
      assert.equal(
        upgraded.status,
        isRefused ? 403 : 401,
        "the socket; 401 = past the guard, logged out above",
      );
      if (!bare) assert.equal((await ask("/api/auth/me", "GET")).status, isRefused ? 200 : 401, "reading");
    });
  }
}
