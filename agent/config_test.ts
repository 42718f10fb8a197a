import assert from "node:assert/strict";
import { readConfig } from "./config.ts";

Deno.test("readConfig() has a default for everything", () => {
  assert.deepEqual(readConfig({}), {
    edgeUrl: "http://127.0.0.1:8000",
    adbServer: null,
    agentDir: ".data/agent",
    joinTokenFiles: [".data/agent/site_join_token", ".data/site_join_token"],
    logLevel: "info",
  });
});

Deno.test("readConfig() names every value that is wrong", () => {
  assert.throws(
    () => readConfig({ EDGE_URL: "ftp://x", ADB_SERVER: "5037", LOG_LEVEL: "loud" }),
    /EDGE_URL .*; ADB_SERVER must be host:port; LOG_LEVEL/,
  );
});

Deno.test("readConfig() takes an empty value for none", () => {
  assert.equal(readConfig({ ADB_SERVER: "" }).adbServer, null);
});
