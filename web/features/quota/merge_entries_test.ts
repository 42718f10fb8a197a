import assert from "node:assert/strict";
import type { LedgerEntry } from "shared/http_api.ts";
import { mergeEntries } from "./merge_entries.ts";

function entry(id: number, kind: LedgerEntry["kind"], delta: number, campaignId: number | null): LedgerEntry {
  return {
    id,
    at: id,
    kind,
    delta,
    balanceAfter: 100 + id,
    campaignId,
    campaignName: campaignId === null ? null : `קמפיין ${campaignId}`,
    actor: "system",
    actorName: null,
    reason: null,
  };
}

Deno.test("mergeEntries() shows the refunds of one campaign as one line with the newest balance", () => {
  const newestFirst = [
    entry(9, "refund", 1, 4),
    entry(8, "refund", 1, 4),
    entry(7, "refund", 1, 5),
    entry(6, "reserve", -3, 4),
  ];
  assert.deepEqual(mergeEntries(newestFirst), [
    { ...newestFirst[0], delta: 2 },
    newestFirst[2],
    newestFirst[3],
  ]);
});

Deno.test("mergeEntries() keeps a campaign's reservation and its refunds on two lines", () => {
  const newestFirst = [
    entry(4, "refund", -1, 4),
    entry(3, "release", 3, 4),
    entry(2, "refund", 1, 4),
    entry(1, "reserve", -3, 4),
  ];
  assert.deepEqual(mergeEntries(newestFirst), newestFirst);
  const ofOneSign = [entry(2, "refund", 1, 4), entry(1, "cover", 1, 4)];
  assert.deepEqual(mergeEntries(ofOneSign), ofOneSign);
  const undone = [entry(2, "refund", -1, 4), entry(1, "refund", 1, 4)];
  assert.deepEqual(mergeEntries(undone), undone);
});

Deno.test("mergeEntries() never joins two grants", () => {
  const grants = [entry(2, "grant", 10, null), entry(1, "grant", 10, null)];
  assert.deepEqual(mergeEntries(grants), grants);
});
