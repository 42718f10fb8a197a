import assert from "node:assert/strict";
import type { Campaign } from "shared/http_api.ts";
import type { LiveEvent } from "shared/live_event.ts";
import { applyEdits, editsFor, toastFor } from "./apply_live_event.ts";
import { createQueryClient } from "./query_client.ts";
import { makeCampaign } from "./testing/make_campaign.ts";

function eventOf(
  type: "campaign_started" | "campaign_progress" | "campaign_completed",
  sent: number,
): LiveEvent {
  const { id: campaignId, ...data } = makeCampaign({
    id: 5,
    status: "active",
    counts: { sent, queued: 9 - sent },
  });
  return { id: 1, type, data: { ...data, campaignId } };
}

Deno.test("editsFor() puts absolute figures into list and detail and leaves the other campaigns alone", () => {
  const cache = createQueryClient(() => {});
  const other = makeCampaign({ id: 6 });
  cache.setQueryData(["/api/campaigns"], [makeCampaign({ id: 5, name: "x" }), other]);
  cache.setQueryData(["/api/campaigns", 5], makeCampaign({ id: 5, message: "נשאר" }));
  applyEdits(cache, editsFor(eventOf("campaign_progress", 4)));
  const [first, second] = cache.getQueryData<Campaign[]>(["/api/campaigns"])!;
  assert.equal(first.sentCount, 4);
  assert.equal(first.counts.queued, 5);
  assert.equal(second, other);
  const detail = cache.getQueryData<Campaign>(["/api/campaigns", 5])!;
  assert.deepEqual([detail.sentCount, detail.message, detail.id], [4, "נשאר", 5]);
});

Deno.test("editsFor() is idempotent, and creates nothing that is not held", () => {
  const cache = createQueryClient(() => {});
  const edits = editsFor(eventOf("campaign_progress", 4));
  applyEdits(cache, edits);
  assert.equal(cache.getQueryData(["/api/campaigns"]), undefined);
  cache.setQueryData(["/api/campaigns", 5], makeCampaign({ id: 5 }));
  applyEdits(cache, edits);
  const once = cache.getQueryData(["/api/campaigns", 5]);
  applyEdits(cache, edits);
  assert.deepEqual(cache.getQueryData(["/api/campaigns", 5]), once);
});

Deno.test("editsFor() asks again for list and detail when a campaign starts, ends or changes", () => {
  const events: LiveEvent[] = [
    eventOf("campaign_started", 0),
    eventOf("campaign_completed", 9),
    { id: 1, type: "campaign_changed", data: { campaignId: 5 } },
    { id: 1, type: "import_progress", data: { campaignId: 5, importId: 1, rows: 10, done: true } },
  ];
  for (const event of events) {
    const asked = editsFor(event).filter((edit) => "refetch" in edit).map(({ queryKey }) => queryKey);
    assert.deepEqual(asked, [["/api/campaigns"], ["/api/campaigns", 5]], event.type);
  }
});

Deno.test("editsFor() puts a new balance into the user and nowhere else", () => {
  const cache = createQueryClient(() => {});
  cache.setQueryData(["/api/auth/me"], { id: 1, username: "dana", messageQuota: 9 });
  applyEdits(cache, editsFor({ id: 1, type: "quota_changed", data: { messageQuota: 4 } }));
  assert.deepEqual(cache.getQueryData(["/api/auth/me"]), { id: 1, username: "dana", messageQuota: 4 });
});

Deno.test("toastFor() speaks at start and completion only", () => {
  assert.deepEqual(toastFor(eventOf("campaign_started", 0)), {
    title: "קמפיין החל",
    description: "שליחה החלה - 9 אנשי קשר",
  });
  assert.deepEqual(toastFor(eventOf("campaign_completed", 9)), {
    title: "קמפיין הושלם!",
    description: "הקמפיין הסתיים בהצלחה",
  });
  assert.equal(toastFor(eventOf("campaign_progress", 1)), undefined);
});
