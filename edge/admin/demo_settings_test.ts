import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { seedDemoSettings } from "./demo_settings.ts";
import { readSavedSettings, saveSettings } from "./settings.ts";

Deno.test("seedDemoSettings() lets a demonstration send at any hour, and keeps settings that an administrator saved", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.edge;
  await seedDemoSettings(ctx);
  const settings = { ...DEFAULT_SETTINGS, sendingHoursEnforced: false, hourlyPercent: 100 };
  assert.deepEqual(await readSavedSettings(ctx), { settings, savedAt: null, savedBy: null });
  await saveSettings(ctx, { person: 1, username: "boss" }, DEFAULT_SETTINGS);
  await seedDemoSettings(ctx);
  assert.deepEqual((await readSavedSettings(ctx)).settings, DEFAULT_SETTINGS);
});
