/** An update of the app moves the ids of its screens on thirty phones: one alert, no tap, and one file mends them all. */
import assert from "node:assert/strict";
import type { AdminAlerts, DeviceDetail } from "shared/admin_api.ts";
import { MOVED_IDS } from "../agent/testing/moved_ids.ts";
import config from "../deno.json" with { type: "json" };
import { Caller, makeReadyCampaign } from "./caller.ts";
import { askAdbServer } from "./faults/ask_adb_server.ts";
import { logInAsAdmin } from "./head_office.ts";
import { Product } from "./product.ts";
import { until } from "./wait.ts";

const PHONES = 30;
const CONTACTS = 90;
const START_MS = 60_000;
const MEET_MS = 180_000;
const SEND_MS = 180_000;
const root = new URL("../", import.meta.url).pathname;

Deno.test("thirty phones that show the same unknown screen are one alert, tap nothing, and send after one file was added", async () => {
  const product = await Product.start({ devices: PHONES, speed: 50 });
  try {
    const admin = await logInAsAdmin(product);
    const count = (sql: string) => product.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)[0]!.n;
    const causes = async () => {
      const { causes } = await admin.read<AdminAlerts>("GET", "/api/admin/alerts");
      return causes.filter(({ code }) => code === "unknown_screen");
    };
    await until(
      () => Promise.resolve(count("devices WHERE state = 'online'") === PHONES),
      START_MS,
      "all online",
    );
    await askAdbServer(product.adbPort, "host:simulate:*:updateApps:2.26.1.5");
    const client = await Caller.login(product.url, product.logins().find(({ role }) => role === "client")!);
    const campaign = await makeReadyCampaign(client, "אחרי עדכון", CONTACTS);
    await client.read("POST", `/api/campaigns/${campaign}/send`);

    const meet = () => Promise.resolve(count("accounts WHERE unknown_screen IS NULL") === 0);
    await until(meet, MEET_MS, "every account met the screen");
    const [cause, ...others] = await causes();
    assert.deepEqual(others, []);
    assert.ok(cause!.count >= PHONES);
    assert.match(cause!.title, /נעצרו: באפליקציה מופיע מסך לא מוכר/);
    assert.deepEqual(product.taps(), []);
    const device = await admin.read<DeviceDetail>("GET", "/api/admin/devices/1");
    assert.equal(device.standing, "unknown_screen");
    assert.ok(device.accounts[0]!.unknownScreen!.ids.includes("entry_n"));

    const path = `${product.dataDir}/moved.json`;
    await Deno.writeTextFile(path, MOVED_IDS);
    const answer = await agentCommand(product, "screens", "add", path);
    assert.match(answer, /1 recording passes[^]*the running agent takes it/);
    await until(
      () => Promise.resolve(count("deliveries WHERE state = 'sent'") === CONTACTS),
      SEND_MS,
      "all sent",
    );
    const phones = product.taps().map(({ phone }) => phone);
    assert.deepEqual([phones.length, new Set(phones).size], [CONTACTS, CONTACTS]);
    assert.deepEqual(await causes(), []);
  } finally {
    await product.stop();
  }
});

/** Runs a command of the agent beside the running one, with its permissions, and returns what it prints. */
async function agentCommand(product: Product, ...words: string[]): Promise<string> {
  const [, ...args] = config.tasks.agent.split(" ");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args, ...words],
    cwd: root,
    env: { DATA_DIR: product.dataDir },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert.equal(code, 0, text(stderr));
  return text(stdout);
}
