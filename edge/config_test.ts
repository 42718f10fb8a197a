import assert from "node:assert/strict";
import { ConfigError, parseConfig } from "./config.ts";

Deno.test("parseConfig() needs nothing: every value has its default", () => {
  assert.deepEqual(parseConfig({}), {
    port: 8000,
    host: "127.0.0.1",
    databaseUrl: "file:.data/shigur.db",
    databaseAuthToken: undefined,
    dataDir: ".data",
    keepsFiles: true,
    webDir: "web/dist",
    packageDir: "agent/dist",
    publicUrl: undefined,
    appKey: undefined,
    appKeyBeside: undefined,
    adminUsername: "admin",
    adminPassword: undefined,
    logLevel: "info",
    metricsToken: undefined,
    stopDrainMs: 0,
    clamd: undefined,
    email: undefined,
    alertWebhook: undefined,
    webhookNetworks: [],
    embeddedSite: false,
    endsWithParent: false,
  });
});

Deno.test("parseConfig() keeps the database in DATA_DIR and takes an empty value for an absent one", () => {
  const config = parseConfig({ DATA_DIR: "/var/lib/shigur", PORT: "", LOG_LEVEL: "" });
  assert.equal(config.databaseUrl, "file:/var/lib/shigur/shigur.db");
  assert.equal(config.port, 8000);
});

Deno.test("parseConfig() accepts a common ADMIN_PASSWORD: an installed edge does not use it", () => {
  assert.equal(parseConfig({ ADMIN_PASSWORD: "iloveyou" }).adminPassword, "iloveyou");
});

Deno.test("parseConfig() reads clamd's address as a name, IPv4 or IPv6", () => {
  const clamd = (CLAMD: string) => parseConfig({ CLAMD }).clamd;
  assert.deepEqual(clamd("clamd.internal:3310"), { hostname: "clamd.internal", port: 3310 });
  assert.deepEqual(clamd("127.0.0.1:65535"), { hostname: "127.0.0.1", port: 65535 });
  assert.deepEqual(clamd("[fd00::1]:3310"), { hostname: "fd00::1", port: 3310 });
});

const WRONG: [name: string, value: string][] = [
  ["PORT", "http"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["PORT", "80.5"],
  ["HOST", "0.0.0.0/0"],
  ["HOST", "127.0.0.1:80"],
  ["HOST", "localhost:80"],
  ["DATABASE_URL", "postgres://localhost/shigur"],
  ["DATABASE_URL", "file:"],
  ["PUBLIC_URL", "shigur.example"],
  ["PUBLIC_URL", "https://shigur.example/app"],
  ["PUBLIC_URL", "https://user:pass@shigur.example"],
  ["PUBLIC_URL", "ftp://shigur.example"],
  ["APP_KEY", "too-short-a-key"],
  ["APP_KEY_BESIDE", "too-short-a-key"],
  ["ADMIN_USERNAME", "ad\nmin"],
  ["ADMIN_PASSWORD", "short-1"],
  ["LOG_LEVEL", "verbose"],
  ["METRICS_TOKEN", "too-short"],
  ["METRICS_TOKEN", "with a space in the middle"],
  ["STOP_DRAIN_MS", "1501"],
  ["CLAMD", "127.0.0.1"],
  ["CLAMD", "127.0.0.1:0"],
  ["CLAMD", "127.0.0.1:65536"],
  ["CLAMD", "tcp://127.0.0.1:3310"],
  ["CLAMD", "/run/clamav/clamd.ctl"],
];
for (const [name, value] of WRONG) {
  Deno.test(`parseConfig() names ${name} when it is ${JSON.stringify(value)}`, () => {
    assert.throws(() => parseConfig({ [name]: value }), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, new RegExp(`^${name} must [^\\n]+\\.$`));
      if (name.startsWith("APP_KEY") || name === "ADMIN_PASSWORD") assert.ok(!error.message.includes(value));
      return true;
    });
  });
}

Deno.test("parseConfig() names every wrong value, each on its line", () => {
  assert.throws(() => parseConfig({ PORT: "x", LOG_LEVEL: "x" }), /^ConfigError: PORT .+\nLOG_LEVEL .+$/);
});

Deno.test("parseConfig() requires APP_KEY for a remote database", () => {
  const remote = { DATABASE_URL: "libsql://shigur.example", DATABASE_AUTH_TOKEN: "token" };
  assert.throws(() => parseConfig(remote), /^ConfigError: APP_KEY is required/);
  assert.equal(
    parseConfig({ ...remote, APP_KEY: "key of tests ".repeat(3) }).databaseUrl,
    remote.DATABASE_URL,
  );
});

Deno.test("parseConfig() allows only an edge of a remote database to keep no files", () => {
  const remote = {
    DATABASE_URL: "libsql://shigur.example",
    APP_KEY: "key of tests ".repeat(3),
    DATA_DIR: "none",
  };
  assert.equal(parseConfig(remote).keepsFiles, false);
  assert.throws(
    () => parseConfig({ DATA_DIR: "none" }),
    /^ConfigError: DATA_DIR none works only with a remote/,
  );
});

Deno.test("parseConfig() reads a mail server and the addresses of alerts, and refuses a part of them", () => {
  const whole = {
    SMTP_URL: "smtps://robot%40x:p%3Ass@mail.example",
    ALERT_EMAIL_FROM: "shigur@example.com",
    ALERT_EMAIL_TO: "a@example.com, b@example.com",
    ALERT_WEBHOOK_URL: "https://chat.example/hook?key=1",
  };
  const { email, alertWebhook } = parseConfig(whole);
  assert.deepEqual(email, {
    host: "mail.example",
    port: 465,
    isSecure: true,
    isLocal: false,
    auth: { user: "robot@x", pass: "p:ss" },
    from: "shigur@example.com",
    to: ["a@example.com", "b@example.com"],
  });
  assert.equal(alertWebhook?.href, whole.ALERT_WEBHOOK_URL);
  const local = parseConfig({ ...whole, SMTP_URL: "smtp://127.0.0.1:2525" }).email!;
  assert.deepEqual([local.port, local.isSecure, local.isLocal, local.auth], [2525, false, true, undefined]);
  assert.equal(parseConfig({ ...whole, SMTP_URL: "smtp://mail.example" }).email!.port, 587);
  assert.throws(() => parseConfig({ SMTP_URL: whole.SMTP_URL }), /must be set together/);
  const wrong = [
    { SMTP_URL: "http://mail.example" },
    { SMTP_URL: "smtp://user@mail.example" },
    { SMTP_URL: "smtp://a:%zz@mail.example" },
    { SMTP_URL: "smtp://a:%ff@mail.example" },
    { SMTP_URL: "smtp://mail.example/path" },
    { ALERT_EMAIL_FROM: "Shigur <shigur@example.com>" },
    { ALERT_EMAIL_FROM: "a@example.com\nBcc: b@example.com" },
    { ALERT_EMAIL_TO: "a@example.com,," },
    { ALERT_EMAIL_TO: Array(11).fill("a@example.com").join() },
    { ALERT_WEBHOOK_URL: "http://chat.example/" },
    { ALERT_WEBHOOK_URL: "https://user:sod@chat.example/" },
  ];
  for (const one of wrong) {
    const [name, value] = Object.entries(one)[0]!;
    assert.throws(() => parseConfig({ ...whole, ...one }), (error) => {
      assert.match(String(error), new RegExp(`${name} must be`));
      assert.ok(!String(error).includes(value), "no secret in the sentence");
      return true;
    });
  }
});
