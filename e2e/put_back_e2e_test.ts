/** The database file is put back by hand during a campaign, without a backup's marks: no person gets two messages. */
import assert from "node:assert/strict";
import type { AdminAlerts } from "shared/admin_api.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { Product } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

/** Enough messages at this pace to be still in progress when the edge is stopped, however slow a command is. */
const PEOPLE = 90;
const DEVICES = 6;
const FILES = ["shigur.db", "shigur.db-wal", "audit_heads.jsonl"];

Deno.test("a database put back by a file system snapshot, without notice, sends to nobody twice", async () => {
  const product = await Product.start({ devices: DEVICES, speed: 20, rateLimit: 1 });
  const { dataDir } = product;
  const copies = await Deno.makeTempDir({ prefix: "shigur-snapshot-" });
  try {
    const logins = product.logins();
    const client = await Caller.login(product.url, logins.find(({ role }) => role === "client")!);
    const id = await makeReadyCampaign(client, "תמונת מצב", PEOPLE);
    await client.read("POST", `/api/campaigns/${id}/send`);
    const tapped = (count: number) =>
      until(() => Promise.resolve(product.taps().length >= count), PATIENCE_MS, `${count} taps`);

    await tapped(12);
    await product.freeze("edge");
    for (const file of FILES) await copyIfThere(`${dataDir}/${file}`, `${copies}/${file}`);
    product.thaw("edge");
    await tapped(40);
    await product.kill("edge");
    await Deno.remove(`${dataDir}/shigur.db-shm`).catch(() => {});
    for (const file of FILES) {
      await Deno.remove(`${dataDir}/${file}`).catch(() => {});
      await copyIfThere(`${copies}/${file}`, `${dataDir}/${file}`);
    }
    const [{ sent }] = product.query<{ sent: number }>("SELECT sum(sent_count) AS sent FROM campaigns");
    assert.ok(sent < 40, "the database knows less than the phones");

    await product.launch("edge");
    const admin = await Caller.login(product.url, logins.find(({ role }) => role === "admin")!);
    const isNoticed = async () => {
      const { items } = await admin.read<AdminAlerts>("GET", "/api/admin/alerts");
      return items.some(({ code, message }) =>
        code === "older_database" && message.includes("deno task restored")
      );
    };
    await until(isNoticed, PATIENCE_MS, "the alert that names the command");
    assertNobodyTwice(product);

    await product.kill("edge");
    const restored = await product.command("restored");
    assert.equal(restored.code, 0, restored.text);
    await product.launch("edge");
    const again = await Caller.login(product.url, logins.find(({ role }) => role === "client")!);
    const isOver = async () => {
      const { status } = await again.read<{ status: string }>("GET", `/api/campaigns/${id}`);
      return status === "completed" || status === "completed_with_errors";
    };
    await until(isOver, 3 * PATIENCE_MS, "the campaign completes once the sites have reported");
    assertNobodyTwice(product);
    assert.ok(product.taps().length >= PEOPLE - DEVICES, "nobody is lost but what was being tapped");
    assert.equal(await product.audit(), "All rules hold.");
  } catch (error) {
    throw new Error(product.lines.slice(-30).join(""), { cause: error });
  } finally {
    await product.stop();
    await Deno.remove(copies, { recursive: true });
  }
});

function assertNobodyTwice(product: Product): void {
  const tapped = product.taps().map(({ phone }) => phone);
  assert.equal(tapped.length - new Set(tapped).size, 0, "doubled");
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await Deno.copyFile(from, to).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}
