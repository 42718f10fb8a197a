import assert from "node:assert/strict";
import { search } from "../admin/search.ts";
import { openFleet } from "../testing/fleet.ts";
import { readDevices } from "./read_devices.ts";

Deno.test("a device is named by its model, and by the end of its serial number too where models repeat", async () => {
  await using fleet = await openFleet();
  await fleet.addSite(4);
  const { rows } = await fleet.ctx.db.execute("SELECT id, key FROM devices ORDER BY id");
  const models = ["SM-A145F", "SM-A145F", "Pixel 7", ""];
  for (const [index, model] of models.entries()) {
    await fleet.ctx.db.execute({
      sql: "UPDATE devices SET model = ?, key = ? WHERE id = ?",
      args: [model, `SIM000${index + 1}`, rows[index]!.id],
    });
  }
  const names = async (deviceId?: number) => (await readDevices(fleet.ctx, deviceId)).map(({ name }) => name);
  assert.deepEqual((await names()).sort(), ["Pixel 7", "SIM0004", "SM-A145F · 0001", "SM-A145F · 0002"]);
  assert.deepEqual(await names(Number(rows[1]!.id)), ["SM-A145F · 0002"]);
  const found = await search(fleet.ctx, "A145F · 0002");
  assert.deepEqual(found.map(({ title }) => title), ["SM-A145F · 0002"]);
});
