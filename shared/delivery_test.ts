import assert from "node:assert/strict";
import { DELIVERY_STATES, isLegalMove, LEGAL_MOVES, MOVED_BY } from "./delivery.ts";

Deno.test("LEGAL_MOVES allows a second tap in two cases only: nothing was tapped, or a person resent it", () => {
  const again = LEGAL_MOVES.filter((move) => move.to === "queued");
  assert.deepEqual([...new Set(again.map((move) => move.from))], ["leased", "unknown"]);
  for (const { from, by, acked } of again) {
    if (by.includes(MOVED_BY.person)) assert.equal(from, "unknown");
    if (by.includes(MOVED_BY.edge)) assert.equal(acked, false, "the edge takes back only what has no go");
  }
});

Deno.test("LEGAL_MOVES lets the edge move no row that a site has acknowledged (rule 8)", () => {
  for (const { from, acked, by } of LEGAL_MOVES) {
    if (from === "leased" && acked !== false) assert.ok(!by.includes(MOVED_BY.edge));
  }
});

Deno.test("isLegalMove() accepts only `sent` from a doubted journal (rule 14)", () => {
  const bySite = DELIVERY_STATES.filter((to) =>
    isLegalMove({ from: "unknown", was: MOVED_BY.journalDoubted, acked: true, to, by: MOVED_BY.site })
  );
  assert.deepEqual(bySite, ["sent"]);
});
