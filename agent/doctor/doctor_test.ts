import assert from "node:assert/strict";
import { NO_NAME, NOBODY } from "shared/testing/faulty_servers.ts";
import { AdbTimeoutError } from "../adb/adb_error.ts";
import { createAdbClient } from "../adb/client.ts";
import { systemClock } from "../time/system_clock.ts";
import { preparedDesk } from "../../simulator/phone/desk_settings.ts";
import { startSimulator } from "../../simulator/start_simulator.ts";
import { readProgramVersion } from "./check_adb.ts";
import { checkEdge } from "./check_edge.ts";
import { checkPhones } from "./check_phones.ts";
import { checkDisk, checkPlace } from "./check_site.ts";
import { type Finding, finding, type FindingCode, levelOf, textOf, WORDS } from "./words.ts";
import { tempFolder } from "../testing/temp_folder.ts";
import { WELL } from "../testing/well_status.ts";

const never = new AbortController().signal;

async function askEdge(edgeUrl: string, now = Date.now): Promise<FindingCode[]> {
  const found = await checkEdge({ edgeUrl, identity: null, now, newId: () => crypto.randomUUID() }, never);
  return found.map(({ code }) => code);
}

function served(answer: () => Response): { url: string } & AsyncDisposable {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  const url = `http://127.0.0.1:${server.addr.port}`;
  return { url, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("WORDS have both languages with the same facts, and a solution for every problem", () => {
  const facts = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
  for (const [code, words] of Object.entries(WORDS)) {
    assert.deepEqual(facts(words.he), facts(words.en), code);
    assert.match(words.he, /[א-ת]/, code);
    if (words.level !== "ok") assert.ok("todo" in words, code);
  }
});

Deno.test("textOf() fills the facts in", () => {
  const found: Finding = finding("disk_low", { freeMb: 120 });
  assert.deepEqual(textOf(found, "he"), { text: "נשארו בדיסק רק 120 MB", todo: "לפנות מקום" });
  assert.equal(textOf(found, "en").text, "only 120 MB are left on the disk");
  assert.equal(levelOf(found), "warning");
});

Deno.test("checkEdge() distinguishes a wrong name, port, certificate, sick edge and wrong clock", async () => {
  assert.deepEqual(await askEdge(NO_NAME), ["edge_name_unknown"]);
  await using well = served(() => new Response("ok"));
  assert.deepEqual(await askEdge(well.url), ["edge_ok", "clock_ok"]);
  assert.deepEqual(await askEdge(well.url, () => Date.now() + 3_600_000), ["edge_ok", "clock_off"]);
  assert.deepEqual(await askEdge(well.url.replace("http:", "https:")), ["edge_tls"]);
  await using sick = served(() => new Response("no", { status: 503 }));
  assert.deepEqual(await askEdge(sick.url), ["edge_unwell"]);
  assert.deepEqual(await askEdge(NOBODY), ["edge_refused"]);
});

Deno.test("checkDisk() leaves no file, and reports why a folder cannot be written", async () => {
  const folder = await Deno.makeTempDir();
  assert.equal(levelOf(await checkDisk(folder)), "ok");
  assert.deepEqual([...Deno.readDirSync(folder)], []);
  await Deno.writeTextFile(`${folder}/file`, "");
  assert.equal((await checkDisk(`${folder}/file/agent`)).code, "disk_not_writable");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("checkPlace() reports a place where every user of the machine may rename the site's folder", async () => {
  const folder = await Deno.makeTempDir();
  assert.deepEqual(await checkPlace(`${folder}/agent`), []);
  await Deno.chmod(folder, 0o777);
  const path = `${folder}/agent`;
  assert.deepEqual(await checkPlace(path), [finding("folder_exposed", { path, by: folder })]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("readProgramVersion() reads adb of all makers, and detects one that is too old", () => {
  const debian = "Android Debug Bridge version 1.0.41\nVersion 29.0.6-debian\nInstalled as /usr/bin/adb\n";
  assert.deepEqual(readProgramVersion(debian), finding("adb_installed", { version: "29.0.6-debian" }));
  const old = readProgramVersion("Android Debug Bridge version 1.0.32\n");
  assert.deepEqual(old, finding("adb_old", { version: "1.0.32" }));
});

Deno.test("checkPhones() reports more phones than the site sends to its edge", async () => {
  const simulator = await startSimulator({
    devices: 1,
    speed: Infinity,
    tapLogPath: `${await tempFolder()}/taps.jsonl`,
  });
  try {
    const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
    const waiting = async (count: number) => {
      const devices = Array.from({ length: count }, () => WELL.worksite!.devices[0]!);
      const status = { ...WELL, worksite: { ...WELL.worksite!, devices } };
      const found = await checkPhones({ adb, clock: systemClock, status }, never);
      return found.filter(({ code }) => code === "too_many_phones").map(({ facts }) => facts);
    };
    assert.deepEqual(await waiting(500), []);
    assert.deepEqual(await waiting(501), [{ count: 501, most: 500 }]);
  } finally {
    await simulator.shutdown();
  }
});

Deno.test("checkPhones() reports what stops each phone from working", async () => {
  const tapLogPath = `${await tempFolder()}/taps.jsonl`;
  const simulator = await startSimulator({
    devices: 5,
    speed: Infinity,
    tapLogPath,
    traits: (index: number) => ({
      ...(index === 2 ? { accounts: [] } : {}),
      ...(index === 3 ? { contacts: { "972501112233": "דנה" } } : {}),
    }),
  });
  try {
    simulator.phones[0]!.availability = "unauthorized";
    simulator.phones[1]!.availability = "offline";
    simulator.phones[4]!.battery = { level: 3, temperatureTenths: 300, isCharging: false };
    const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
    const found = await checkPhones({ adb, clock: systemClock, status: null }, never);
    const codesOf = (device: string) =>
      found.filter(({ code }) => !code.startsWith("setting"))
        .filter(({ facts }) => `${facts.device ?? facts.account}`.startsWith(device)).map(({ code }) => code);
    assert.deepEqual(codesOf("SIM0001"), ["phone_unauthorized"]);
    assert.deepEqual(codesOf("SIM0002"), ["phone_offline"]);
    assert.deepEqual(codesOf("SIM0003"), ["phone_ok", "app_missing", "contacts_none"]);
    assert.deepEqual(codesOf("SIM0004"), ["phone_ok", "account_ok", "account_ok", "contacts_saved"]);
    assert.deepEqual(codesOf("SIM0005"), ["phone_low_battery", "account_ok", "contacts_none"]);
  } finally {
    await simulator.shutdown();
  }
});

Deno.test("checkPhones() says of each setting what was asked, what was seen and what to press on this maker's phone", async () => {
  const simulator = await startSimulator({
    devices: 3,
    speed: Infinity,
    sleep: () => Promise.resolve(),
    tapLogPath: `${await tempFolder()}/taps.jsonl`,
    traits: (index: number) => ({
      manufacturer: index === 0 ? "Xiaomi" : "motorola",
      androidVersion: "14",
      language: "he",
      desk: {
        ...preparedDesk("Xiaomi"),
        ...(index === 0 ? { adbInput: "0", batterySaver: true } : {}),
        ...(index === 2 ? { answers: "hangs" } : {}),
      },
    }),
  });
  try {
    for (const phone of simulator.phones) phone.staysAwake = true;
    const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
    const found = await checkPhones({ adb, clock: systemClock, status: null }, never);
    const of = (device: string, level: string) =>
      found.filter((one) =>
        one.code.startsWith("setting") && one.facts.device === device && levelOf(one) === level
      );

    const [stops] = of("SIM0001", "problem");
    assert.deepEqual(stops?.facts.setting, "usb_input");
    assert.equal(stops.facts.asked, "getprop persist.security.adbinput");
    const { text, todo } = textOf(stops, "he");
    assert.equal(text, "טלפון SIM0001: הטלפון לא מקבל לחיצות דרך הכבל (נראה: 0)");
    assert.match(todo!, /^הגדרות ← הגדרות נוספות ← אפשרויות למפתחים: /);
    assert.match(textOf(stops, "en").todo!, /^Settings > Additional settings > Developer options: switch on/);
    assert.deepEqual(of("SIM0001", "warning").map(({ facts }) => facts.setting), ["battery_saver"]);

    const [right] = of("SIM0002", "ok");
    assert.match(
      textOf(right!, "en").text,
      /^phone SIM0002, settings that are right: Stay awake while charging, /,
    );
    assert.deepEqual(of("SIM0002", "warning"), []);
    const unseen = of("SIM0002", "unseen");
    assert.deepEqual(unseen.map(({ facts }) => facts.setting), ["app_updates", "app_backup"]);
    assert.match(textOf(unseen[0]!, "he").text, /אי אפשר לראות מכאן: בלי עדכון אוטומטי/);

    assert.ok(of("SIM0003", "unseen").length > 10, "a phone that does not answer passes nothing");
    assert.deepEqual(of("SIM0003", "problem"), []);
  } finally {
    await simulator.shutdown();
  }
});

Deno.test("checkPhones() keeps what it knows of a phone that falls silent at the settings", async () => {
  const simulator = await startSimulator({
    devices: 1,
    speed: Infinity,
    tapLogPath: `${await tempFolder()}/taps.jsonl`,
  });
  try {
    const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
    const silent: typeof adb = {
      ...adb,
      shell: async (serial, command, options) => {
        if (command.includes("settings list global")) throw new AdbTimeoutError("no answer");
        return await adb.shell(serial, command, options);
      },
    };
    const found = await checkPhones({ adb: silent, clock: systemClock, status: null }, never);
    assert.deepEqual(found.slice(0, 2).map(({ code }) => code), ["phone_ok", "account_ok"]);
    const settings = found.filter(({ code }) => code.startsWith("setting"));
    assert.ok(settings.length > 10);
    assert.ok(settings.every((one) => levelOf(one) === "unseen"));
  } finally {
    await simulator.shutdown();
  }
});
