import assert from "node:assert/strict";
import { readConfig } from "./config.ts";

const noFile = () => null;

Deno.test("readConfig() has a default for everything", () => {
  assert.deepEqual(readConfig({ environment: {}, readText: noFile }), {
    edgeUrl: "http://127.0.0.1:8000",
    adbServer: null,
    networkPhones: [],
    agentDir: ".data/agent",
    joinTokenFiles: [".data/agent/site_join_token", ".data/site_join_token"],
    logLevel: "info",
    logFormat: null,
  });
});

Deno.test("readConfig() names every value of the environment that is wrong", () => {
  const environment = { EDGE_URL: "ftp://x", ADB_SERVER: "5037", LOG_LEVEL: "loud", LOG_FORMAT: "xml" };
  assert.throws(
    () => readConfig({ environment, readText: noFile }),
    {
      message: "Cannot start: EDGE_URL must be an http or https address; ADB_SERVER must be host:port; " +
        "LOG_LEVEL must be one of debug, info, warn, error; LOG_FORMAT must be one of json, text",
    },
  );
  assert.throws(() => readConfig({ environment: { ADB_SERVER: "h:70000" }, readText: noFile }), /ADB_SERVER/);
});

Deno.test("readConfig() reads the phones on the network, and refuses an invalid address", () => {
  const read = (NETWORK_PHONES: string) => readConfig({ environment: { NETWORK_PHONES }, readText: noFile });
  assert.deepEqual(read("192.0.2.7:5555,phone-2:5555").networkPhones, ["192.0.2.7:5555", "phone-2:5555"]);
  assert.throws(() => read("192.0.2.7"), {
    message: "Cannot start: NETWORK_PHONES must be host:port,host:port,…",
  });
});

Deno.test("readConfig() treats an empty value as absent", () => {
  assert.equal(readConfig({ environment: { ADB_SERVER: "" }, readText: noFile }).adbServer, null);
});

Deno.test("readConfig() reads agent.json of AGENT_DIR, and the environment wins over it", () => {
  const read: string[] = [];
  const config = readConfig({
    environment: { AGENT_DIR: "/site", LOG_LEVEL: "warn" },
    readText(path) {
      read.push(path);
      return `{"edgeUrl":"https://shigur.example","adbServer":"127.0.0.1:5037","logLevel":"debug"}`;
    },
  });
  assert.deepEqual(read, ["/site/agent.json"]);
  assert.equal(config.edgeUrl, "https://shigur.example");
  assert.deepEqual(config.adbServer, { hostname: "127.0.0.1", port: 5037 });
  assert.equal(config.logLevel, "warn");
});

Deno.test("readConfig() says which file holds which wrong value, and that a named file is missing", () => {
  const wrong = (text: string | null, configPath?: string) => () =>
    readConfig({ environment: { AGENT_DIR: "/site" }, configPath, readText: () => text });
  assert.throws(wrong(`{"edgeUrl":"shigur.example","egdeUrl":""}`), {
    message: `Cannot start: "/site/agent.json": edgeUrl must be an http or https address; ` +
      `"/site/agent.json": egdeUrl is not a setting`,
  });
  assert.throws(wrong("edgeUrl=x"), { message: `Cannot start: "/site/agent.json" is not JSON` });
  assert.throws(wrong(null, "/etc/a.json"), { message: `Cannot start: there is no file "/etc/a.json"` });
  assert.doesNotThrow(wrong(null));
});
