import assert from "node:assert/strict";
import * as esbuild from "esbuild";
import fc from "shared/testing/fast_check.ts";
import { join } from "node:path";
import { liveEventSchema } from "shared/live_event.ts";
import { makeCampaign } from "../testing/make_campaign.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** Returns the shared schema in the browser's version: bundled with the subset instead of zod. */
async function browserSchema(): Promise<typeof liveEventSchema> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: ["shared/live_event.ts"],
    bundle: true,
    write: false,
    format: "esm",
    alias: { zod: join(ROOT, "web/build/zod_subset.ts") },
  });
  await esbuild.stop();
  const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return module.liveEventSchema;
}

Deno.test("zod_subset gives zod's verdict on good, broken and random events", async () => {
  const subset = await browserSchema();
  const { id: campaignId, ...figures } = makeCampaign({ id: 5, status: "active", counts: { sent: 4 } });
  const activity = {
    id: 1,
    type: "info",
    code: "x",
    message: "x",
    detail: null,
    timestamp: 1,
    deviceId: null,
    siteId: 1,
    campaignId: null,
    userId: null,
  };
  const good = [
    { id: 1, type: "campaign_progress", data: { ...figures, campaignId } },
    { id: 2, type: "quota_changed", data: { messageQuota: 7 } },
    { id: 3, type: "activity", data: activity },
    { id: 4, type: "import_progress", data: { campaignId: 1, importId: 1, rows: 1, done: true } },
  ];
  const agree = (value: unknown) => {
    assert.equal(
      subset.safeParse(value).success,
      liveEventSchema.safeParse(value).success,
      JSON.stringify(value),
    );
  };
  for (const event of good) assert.equal(subset.safeParse(event).success, true);

  // Any value, to replace one value of a valid event at any depth.
  const anything = fc.oneof(fc.jsonValue(), fc.double(), fc.constantFrom(-1, 2 ** 53, undefined, "active"));
  fc.assert(fc.property(fc.constantFrom(...good), fc.nat(), anything, (event, seed, value) => {
    const broken = structuredClone(event) as Record<string, unknown>;
    const places = placesIn(broken);
    const [holder, key] = places[seed % places.length];
    holder[key] = value;
    agree(broken);
  }));
  fc.assert(fc.property(fc.jsonValue(), agree));
});

function placesIn(holder: Record<string, unknown>): [Record<string, unknown>, string][] {
  return Object.entries(holder).flatMap(([key, value]) => [
    [holder, key] as [Record<string, unknown>, string],
    ...(typeof value === "object" && value !== null ? placesIn(value as Record<string, unknown>) : []),
  ]);
}
