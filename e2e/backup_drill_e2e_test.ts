/**
 * A backup of the running product, restored during a campaign while the site keeps working: no person gets two
 * messages.
 */
import assert from "node:assert/strict";
import { changeSettings, logInAsAdmin } from "./head_office.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { Product } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

/** Enough messages at this pace to be still in progress when the edge is stopped, however slow a command is. */
const PEOPLE = 150;
const DEVICES = 6;
const RATE_LIMIT_S = 1;

Deno.test("a backup restored in the middle of a campaign, with the agent alive, doubles and loses nothing", async () => {
  const product = await Product.start({ devices: DEVICES, speed: 20, rateLimit: RATE_LIMIT_S });
  try {
    const login = product.logins().find(({ role }) => role === "client")!;
    const client = await Caller.login(product.url, login);
    const id = await makeReadyCampaign(client, "תרגיל", PEOPLE);
    await client.read("POST", `/api/campaigns/${id}/send`);
    const tapped = async (count: number) =>
      await until(() => Promise.resolve(product.taps().length >= count), PATIENCE_MS, `${count} taps`);

    await tapped(15);
    const made = await product.command("backup");
    assert.equal(made.code, 0, made.text);
    const folder = /^Backed up in (.+)$/m.exec(made.text)![1];
    const lost = await makeReadyCampaign(client, "אבוד", 20, { first: 42_000_001 });
    await client.read("POST", `/api/campaigns/${lost}/send`);
    await tapped(35);

    const early = await product.command("restore", folder);
    assert.equal(early.code, 1);
    assert.match(early.text, /in use/, "an edge that runs is no place for another database");
    await product.kill("edge");
    const tappedBefore = product.taps().length;
    const restored = await product.command("restore", folder);
    assert.equal(restored.code, 0, restored.text);
    const [{ sent }] = product.query<{ sent: number }>("SELECT sent_count AS sent FROM campaigns");
    assert.ok(sent < tappedBefore, "the copy knows less than the phones");
    assert.ok(tappedBefore < PEOPLE, "the campaign is under way");
    await product.launch("edge");
    // Send the rest without a pause between two messages.
    await changeSettings(await logInAsAdmin(product), { rateLimit: 0 });

    const again = await Caller.login(product.url, login);
    const isOver = async () => {
      const { status } = await again.read<{ status: string }>("GET", `/api/campaigns/${id}`);
      // A tap with a lost report may stay unknown; the final status then says so.
      return status === "completed" || status === "completed_with_errors";
    };
    await until(isOver, 2 * PATIENCE_MS, "the campaign completes on the restored database");
    const phones = product.taps().map(({ phone }) => phone);
    assert.equal(phones.length, new Set(phones).size, "doubled");
    const states = product.query<{ state: string; phone: number }>(
      "SELECT state, phone FROM deliveries WHERE campaign = ?",
      id,
    );
    assert.equal(states.length, PEOPLE);
    for (const { state, phone } of states) {
      // Every row that is `sent` must have been received.
      if (state === "sent") assert.ok(phones.includes(`+${phone}`), `${phone} is sent and was not tapped`);
      else assert.equal(state, "unknown");
    }
    const unknown = states.filter(({ state }) => state === "unknown").length;
    assert.ok(unknown <= DEVICES, `${unknown} unknown, more than were being tapped at once`);
    assert.equal(await product.audit(), "All rules hold.");
    assert.equal(product.exitCode("agent"), null, "the agent lived through it");
  } catch (error) {
    throw new Error(product.lines.slice(-30).join(""), { cause: error });
  } finally {
    await product.stop();
  }
});
