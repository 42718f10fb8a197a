import assert from "node:assert/strict";
import { savedSettingsSchema } from "shared/admin_api.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { openAgentDoor } from "../testing/agent_door.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { PROOF } from "../testing/test_app.ts";
import { readSavedSettings, saveSettings } from "./settings.ts";

const boss = { person: 1, username: "boss" };

Deno.test("PUT /api/admin/settings saves values within their bounds, with the person and the changes", async () => {
  await using house = await openAdminHouse();
  const read = async () => savedSettingsSchema.parse(await house.read("/api/admin/settings"));
  const put = (settings: Record<string, unknown>) =>
    house.admin.ask("/api/admin/settings", { method: "PUT", json: { proof: PROOF, ...settings } });
  assert.deepEqual(await read(), { settings: DEFAULT_SETTINGS, savedAt: null, savedBy: null });
  const settings = {
    ...DEFAULT_SETTINGS,
    maxMessagesPerDay: 300,
    rateLimit: 2.5,
    warmupEnabled: false,
    maxContactsPerClient: 2_000_000,
  };
  const saved = savedSettingsSchema.parse(await (await put(settings)).json());
  assert.deepEqual(saved, { settings, savedAt: house.edge.clock.now, savedBy: "person-1" });
  assert.deepEqual(await read(), saved);
  const line =
    "הגדרות המערכת נשמרו בידי person-1. תקרה יומית למכשיר: 300 במקום 250, מרווח בין הודעות: 2.5 במקום 1, " +
    "חימום חשבונות חדשים: כבוי, תקרת אנשי קשר ללקוח: 2,000,000 במקום 5,000,000.";
  const { items } = await house.read("/api/admin/activity?limit=1") as { items: { message: string }[] };
  assert.equal(items[0]!.message, line);

  house.edge.clock.now += 1_000;
  assert.equal((await put(settings)).status, 200);
  assert.equal((await read()).savedAt, saved.savedAt, "nothing changed, so nothing was saved");
  const { enableNotifications: _, ...incomplete } = settings;
  const wrong: Record<string, unknown>[] = [
    incomplete,
    { ...settings, maxMessagesPerDay: 0 },
    { ...settings, maxMessagesPerDay: 10_001 },
    { ...settings, maxMessagesPerDay: 1.5 },
    { ...settings, rateLimit: 3600.1 },
    { ...settings, rateLimit: 0.05 },
    { ...settings, rateLimit: "1" },
    { ...settings, turbo: true },
  ];
  for (const json of wrong) assert.equal((await put(json)).status, 400, JSON.stringify(json));
  assert.deepEqual((await read()).settings, settings);
});

Deno.test("saveSettings() notifies every connected site at once, and the claim follows the saved values", async () => {
  await using door = await openAgentDoor();
  const [first, second] = [await door.enroll(), await door.enroll()];
  await using one = await first.ready();
  await using other = await second.ready();
  const settings = { ...DEFAULT_SETTINGS, maxMessagesPerDay: 7, rateLimit: 0.3, autoFailover: false };
  await saveSettings(door.fleet.ctx, boss, settings);
  assert.deepEqual(await one.read(), { type: "settings", settings });
  assert.deepEqual(await other.read(), { type: "settings", settings });
});

Deno.test("saveSettings() reaches a site that was between welcome and hello", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = await site.connect();
  const settings = { ...DEFAULT_SETTINGS, rateLimit: 9 };
  await saveSettings(door.fleet.ctx, boss, settings);
  agent.hello();
  // The outbox may send the settings while the hello is handled, and so before its reply.
  const heard = [await agent.read(), await agent.read()];
  assert.ok(heard.some((frame) => frame?.type === "helloAck"));
  assert.deepEqual(heard.find((frame) => frame?.type === "settings"), { type: "settings", settings });
});

Deno.test("saveSettings() keeps values that another administrator saved meanwhile", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.edge;
  const user = { person: house.admin.id, username: "boss" };
  await saveSettings(ctx, user, { ...DEFAULT_SETTINGS, maxMessagesPerDay: 300 }, async () => {
    await saveSettings(ctx, user, { ...DEFAULT_SETTINGS, rateLimit: 9 });
  });
  const { settings } = await readSavedSettings(ctx);
  assert.deepEqual(settings, { ...DEFAULT_SETTINGS, maxMessagesPerDay: 300, rateLimit: 9 });
});

Deno.test("saveSettings() asks for proof when another administrator's newer value protects more", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.edge;
  const user = { person: house.admin.id, username: "boss" };
  await saveSettings(ctx, user, { ...DEFAULT_SETTINGS, maxMessagesPerDay: 400 });
  let others = [() => saveSettings(ctx, user, { ...DEFAULT_SETTINGS, maxMessagesPerDay: 250 })];
  const slow: EdgeContext = {
    ...ctx,
    db: new Proxy(ctx.db, {
      get(db, name) {
        if (name !== "batch" && name !== "transaction") return Reflect.get(db, name).bind(db);
        return async (...args: unknown[]) => {
          const first = others;
          others = [];
          for (const save of first) await save();
          return await Reflect.apply(Reflect.get(db, name), db, args);
        };
      },
    }),
  };
  const refuse = () => Promise.reject(new HttpError("proof_needed"));
  const weaker = { ...DEFAULT_SETTINGS, maxMessagesPerDay: 350 };
  await assert.rejects(saveSettings(slow, user, weaker, refuse), { code: "proof_needed" });
  assert.equal((await readSavedSettings(ctx)).settings.maxMessagesPerDay, 250);
});
