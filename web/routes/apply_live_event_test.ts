import { QueryObserver } from "@tanstack/react-query";
import assert from "node:assert/strict";
import type { ActivityItem } from "shared/activity.ts";
import type { ActivityPage, AdminCampaignDetail } from "shared/admin_api.ts";
import type { Campaign } from "shared/http_api.ts";
import type { LiveEvent } from "shared/live_event.ts";
import { applyEdits, editsFor, toastFor } from "./apply_live_event.ts";
import { createQueryClient } from "../data/query_client.ts";
import { makeCampaign } from "../testing/make_campaign.ts";

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
  const event = eventOf("campaign_progress", 4);
  applyEdits(cache, editsFor({ ...event, data: { ...event.data, completedAt: 7 } } as LiveEvent));
  const [first, second] = cache.getQueryData<Campaign[]>(["/api/campaigns"])!;
  assert.equal(first.sentCount, 4);
  assert.equal(first.counts.queued, 5);
  assert.equal(first.completedAt, 7);
  assert.equal(second, other);
  const detail = cache.getQueryData<Campaign>(["/api/campaigns", 5])!;
  assert.deepEqual([detail.sentCount, detail.message, detail.id], [4, "נשאר", 5]);
});

Deno.test("editsFor() is idempotent, and creates nothing that is not in the cache", () => {
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
    // A recipient's reply changes the campaign and the suppression list.
    const more = { import_progress: [["/api/admin/files"]], campaign_changed: [["/api/suppressions"]] };
    const besides = more[event.type as keyof typeof more] ?? [];
    assert.deepEqual(asked, [["/api/campaigns"], ["/api/campaigns", 5], ...besides], event.type);
  }
});

Deno.test("editsFor() asks again for all that shows the fleet, and after a balance for the users", () => {
  const askedBy = (event: LiveEvent) =>
    editsFor(event).filter((edit) => "refetch" in edit).map(({ queryKey }) => queryKey[0]);
  assert.deepEqual(askedBy({ id: 1, type: "device_changed", data: { siteId: 1 } }), [
    "/api/devices/adb-status",
    "/api/admin/devices",
    "/api/admin/sites",
    "/api/admin/risk",
  ]);
  assert.deepEqual(askedBy({ id: 1, type: "quota_changed", data: { messageQuota: 4 } }), ["/api/users"]);
  assert.deepEqual(askedBy({ id: 1, type: "alerts_changed", data: {} }), ["/api/admin/alerts"]);
});

Deno.test("editsFor() puts a new balance into the user and nowhere else", () => {
  const cache = createQueryClient(() => {});
  cache.setQueryData(["/api/auth/me"], { id: 1, username: "dana", messageQuota: 9 });
  applyEdits(cache, editsFor({ id: 1, type: "quota_changed", data: { messageQuota: 4 } }));
  assert.deepEqual(cache.getQueryData(["/api/auth/me"]), { id: 1, username: "dana", messageQuota: 4 });
});

for (
  const [what, queryKey, event] of [
    ["changes what is held", ["/api/auth/me"], { id: 1, type: "quota_changed", data: { messageQuota: 4 } }],
    ["asks again", ["/api/suppressions"], { id: 1, type: "campaign_changed", data: { campaignId: 5 } }],
  ] as [string, string[], LiveEvent][]
) {
  Deno.test(`applyEdits() of an event that ${what} asks once more after a request that may be older`, async () => {
    const cache = createQueryClient(() => {});
    const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const again = Promise.withResolvers<void>();
    let asked = 0;
    const queryFn = async () => {
      asked += 1;
      if (asked === 2) again.resolve();
      return { messageQuota: await answers[asked - 1].promise };
    };
    const leave = new QueryObserver(cache, { queryKey, queryFn }).subscribe(() => {});
    applyEdits(cache, editsFor(event));
    applyEdits(cache, editsFor(event));
    assert.equal(asked, 1, "what is under way is not broken off");
    answers[0].resolve(9);
    await again.promise;
    answers[1].resolve(4);
    await cache.getQueryCache().find({ queryKey })!.promise;
    assert.deepEqual(cache.getQueryData(queryKey), { messageQuota: 4 });
    assert.equal(asked, 2, "once for both");
    leave();
    cache.clear();
  });
}

Deno.test("applyEdits() asks once during a run of figures, and always after the last", async () => {
  for (const [endsIn, questions] of [[Infinity, 2], [2, 3]] as const) {
    const cache = createQueryClient(() => {});
    let asked = 0;
    const queryFn = async () => {
      asked += 1;
      const type = asked === endsIn ? "campaign_ended" : "campaign_progress";
      const { data } = eventOf("campaign_progress", asked) as Extract<LiveEvent, { type: typeof type }>;
      // Without its own refetch: the test observes the refetch after a request.
      const figures = editsFor({
        id: 1,
        type,
        data: { ...data, status: asked === endsIn ? "cancelled" : "active" },
      });
      applyEdits(cache, figures.filter((edit) => "change" in edit));
      await new Promise((answer) => setTimeout(answer));
      return makeCampaign({ id: 5 });
    };
    const leave = new QueryObserver(cache, { queryKey: ["/api/campaigns", 5], queryFn }).subscribe(() => {});
    for (let turn = 0; turn < 50; turn++) await new Promise((next) => setTimeout(next));
    assert.equal(asked, questions);
    leave();
    cache.clear();
  }
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

function activityLine(id: number): ActivityItem {
  return {
    id,
    type: "info",
    code: "test",
    message: `שורה ${id}`,
    detail: null,
    timestamp: id,
    deviceId: null,
    siteId: null,
    campaignId: null,
    userId: null,
  };
}

Deno.test("editsFor() puts a new activity line first, once, and keeps the feed short", () => {
  const cache = createQueryClient(() => {});
  const items = Array.from({ length: 50 }, (_, index) => activityLine(50 - index));
  cache.setQueryData(["/api/admin/activity"], { items, nextCursor: 1 });
  const edits = editsFor({ id: 1, type: "activity", data: activityLine(51) });
  applyEdits(cache, edits);
  applyEdits(cache, edits);
  const held = cache.getQueryData<ActivityPage>(["/api/admin/activity"])!;
  assert.deepEqual([held.items.length, held.items[0].id, held.items[1].id], [50, 51, 50]);
});

Deno.test("editsFor() asks again for the users when another administrator loads a quota, or a client sends", () => {
  const asks = (code: string) =>
    editsFor({ id: 1, type: "activity", data: { ...activityLine(1), code } })
      .some(({ queryKey }) => queryKey[0] === "/api/users");
  for (const code of ["quota_loaded", "quota_corrected", "user_created", "user_disabled", "campaign_sent"]) {
    assert.ok(asks(code), code);
  }
  assert.ok(!asks("device_online"));
});

Deno.test("editsFor() writes a client's figures into every page and detail an administrator holds", () => {
  const cache = createQueryClient(() => {});
  const client = { id: 1, username: "dana" };
  const page = { items: [{ ...makeCampaign({ id: 5 }), client }, { ...makeCampaign({ id: 6 }), client }] };
  cache.setQueryData(["/api/admin/campaigns", { q: "" }], { pages: [page], pageParams: [null] });
  cache.setQueryData(["/api/admin/campaigns", 5], { ...makeCampaign({ id: 5, message: "נשאר" }), client });
  const { data } = eventOf("campaign_progress", 4);
  applyEdits(cache, editsFor({ id: 1, type: "client_campaign", data } as LiveEvent));
  const pages = cache.getQueryData<{ pages: typeof page[] }>(["/api/admin/campaigns", { q: "" }])!.pages;
  assert.deepEqual(pages[0].items.map(({ id, sentCount }) => [id, sentCount]), [[5, 4], [6, 0]]);
  const detail = cache.getQueryData<AdminCampaignDetail>(["/api/admin/campaigns", 5])!;
  assert.deepEqual([detail.sentCount, detail.message, detail.client], [4, "נשאר", client]);
});
