import assert from "node:assert/strict";
import { NO_NAME, NOBODY } from "shared/testing/faulty_servers.ts";
import { createAdbClient } from "../adb/client.ts";
import { systemClock } from "../time/system_clock.ts";
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
      found.filter(({ facts }) => `${facts.device ?? facts.account}`.startsWith(device)).map(({ code }) =>
        code
      );
    assert.deepEqual(codesOf("SIM0001"), ["phone_unauthorized"]);
    assert.deepEqual(codesOf("SIM0002"), ["phone_offline"]);
    assert.deepEqual(codesOf("SIM0003"), ["phone_ok", "app_missing", "contacts_none"]);
    assert.deepEqual(codesOf("SIM0004"), ["phone_ok", "account_ok", "account_ok", "contacts_saved"]);
    assert.deepEqual(codesOf("SIM0005"), ["phone_low_battery", "account_ok", "contacts_none"]);
  } finally {
    await simulator.shutdown();
  }
});
