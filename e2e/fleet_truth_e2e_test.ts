/** Administrators see the true state of a site: phones that cannot send, and a key that two machines use. */
import assert from "node:assert/strict";
import type { AdminAlert, Site } from "shared/admin_api.ts";
import type { DeviceState } from "shared/agent_protocol.ts";
import type { AdbStatus } from "shared/http_api.ts";
import { askAdbServer } from "./faults/ask_adb_server.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { Product } from "./product.ts";
import { pause, until } from "./wait.ts";
import { Process } from "./two_edges_process.ts";

/** Time within which the screen must show the true state of every phone. */
const TRUTH_MS = 30_000;
/** Extra time for a busy machine. */
const LOOK_MS = 10_000;
const START_MS = 60_000;
/** Agents that end each other's connections wait up to 30 seconds between tries. */
const CONTACTS = 5;
const FIGHT_MS = 240_000;

/** The act on each phone, and the state that the administrator must see. */
const TROUBLES: [act: string, state: DeviceState][] = [
  ["unplug", "offline"],
  ["unauthorized", "unauthorized"],
  ["booting", "booting"],
  ["pin", "locked"],
  ["storage:10", "low_storage"],
  ["heat:60", "hot"],
  ["battery:3", "low_battery"],
  ["mute", "not_answering"],
];

Deno.test("administrators see each phone's failure within 40 seconds, and its return", async () => {
  const product = await Product.start({ devices: TROUBLES.length });
  try {
    const admin = await loginAdmin(product);
    const devices = async () => (await admin.read<AdbStatus>("GET", "/api/devices/adb-status")).devices;
    const serials = await serialsOf(product, TROUBLES.length);
    const act = (index: number, what: string) =>
      askAdbServer(product.adbPort, `host:simulate:${serials[index]}:${what}`);
    for (const index of serials.keys()) await act(index, "charger:off");
    const statesOf = async () => {
      const found = await devices();
      return serials.map((serial) => found.find(({ id }) => id === idOf(product, serial))!);
    };
    await until(
      async () => (await statesOf()).every(({ adbConnected }) => adbConnected),
      START_MS,
      "all online",
    );

    const began = Date.now();
    for (const [index, [what]] of TROUBLES.entries()) await act(index, what);
    const seen = new Map<DeviceState, number>();
    await until(
      async () => {
        for (const [index, device] of (await statesOf()).entries()) {
          const [, state] = TROUBLES[index]!;
          if (device.state === state && !seen.has(state)) seen.set(state, Date.now() - began);
        }
        return seen.size === TROUBLES.length;
      },
      TRUTH_MS + LOOK_MS,
      "every state is read",
    ).catch(async (error) => {
      throw new Error(`${error.message}; read: ${(await statesOf()).map(({ state }) => state)}`);
    });
    printFigure(`seen after: ${[...seen].map(([state, ms]) => `${state} ${ms} ms`).join(", ")}`);
    const [unplugged] = await statesOf();
    assert.equal(unplugged!.adbConnected, false);
    assert.ok(unplugged!.proofAt! < Date.now() && unplugged!.stateSince! >= began - 1_000);

    await act(0, "replug");
    await until(async () => (await statesOf())[0]!.adbConnected, TRUTH_MS + LOOK_MS, "the phone is back");
  } finally {
    await product.stop();
  }
});

Deno.test("two machines with one key are noticed, leased nothing, and started again by an administrator", async () => {
  const product = await Product.start({ devices: 1 });
  const copy = await Deno.makeTempDir({ prefix: "shigur-copy-" });
  let clone: Process | null = null;
  try {
    const admin = await loginAdmin(product);
    const site = async () => (await admin.read<{ items: Site[] }>("GET", "/api/admin/sites")).items[0]!;
    await until(async () => (await site()).connectedDevices === 1, START_MS, "the site is connected");
    await Deno.copyFile(`${product.dataDir}/agent/identity.json`, `${copy}/identity.json`);
    clone = new Process("clone", ["agent/main.ts", "run"], {
      EDGE_URL: product.url,
      // It has no phones: port 1 has no listener.
      ADB_SERVER: "127.0.0.1:1",
      AGENT_DIR: copy,
    });
    const began = Date.now();
    await until(
      async () => (await site()).stopReason === "two_machines",
      FIGHT_MS,
      "two machines are noticed",
    );
    printFigure(`two machines with one key were noticed after ${Math.round((Date.now() - began) / 1000)} s`);
    const { items: alerts } = await admin.read<{ items: AdminAlert[] }>("GET", "/api/admin/alerts");
    assert.match(alerts[0]!.message, /שני מחשבים מתחברים באותו מפתח.*לכבות אחד מהם/);

    const client = await Caller.login(product.url, product.logins().find(({ role }) => role === "client")!);
    const campaign = await makeReadyCampaign(client, "מחכים לאדם", CONTACTS);
    await client.read("POST", `/api/campaigns/${campaign}/send`);
    await pause(3_000);
    const states = () =>
      product.query<{ state: string; n: number }>("SELECT state, count(*) AS n FROM deliveries GROUP BY 1");
    assert.deepEqual(states().map((row) => ({ ...row })), [{ state: "queued", n: CONTACTS }]);

    await clone.stop();
    const id = (await site()).id;
    assert.equal((await admin.call("POST", `/api/admin/sites/${id}/start`)).status, 204);
    await until(async () => (await site()).status === "connected", START_MS, "the one that is left connects");
    await until(
      () => Promise.resolve(states()[0]!.state === "sent" && states()[0]!.n === CONTACTS),
      START_MS,
      "all sent",
    );
    assert.equal(product.taps().length, CONTACTS);
    assert.equal((await site()).stopped, false);
  } finally {
    await clone?.stop();
    await product.stop();
    await Deno.remove(copy, { recursive: true });
  }
});

async function loginAdmin(product: Product): Promise<Caller> {
  return await Caller.login(product.url, product.logins().find(({ role }) => role === "admin")!);
}

/** Returns hardware serials in the edge's order, once the edge knows `count` phones. */
async function serialsOf(product: Product, count: number): Promise<string[]> {
  const read = () =>
    product.query<{ key: string }>("SELECT key FROM devices ORDER BY id").map(({ key }) => key);
  await until(() => Promise.resolve(read().length === count), START_MS, "the edge knows every phone");
  return read();
}

function idOf(product: Product, serial: string): number {
  return product.query<{ id: number }>("SELECT id FROM devices WHERE key = ?", serial)[0]!.id;
}

function printFigure(what: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${what}\n`));
}
