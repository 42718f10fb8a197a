import assert from "node:assert/strict";
import { EDGE_FEATURES } from "shared/features.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { edgeFeatures } from "./edge_features.ts";

const WELCOME = {
  type: "welcome",
  epoch: 1,
  generation: "g",
  serverTime: 1,
  settings: DEFAULT_SETTINGS,
  takesReplies: false,
  leasesWithReports: false,
} as const;

Deno.test("edgeFeatures() reads an edge's features, and the flags of the previous release (rule 20)", () => {
  const read = (flags: Partial<Parameters<typeof edgeFeatures>[0]>) => [
    ...edgeFeatures({ ...WELCOME, ...flags }),
  ];
  assert.deepEqual(read({}), []);
  assert.deepEqual(read({ features: [...EDGE_FEATURES] }), EDGE_FEATURES);
  assert.deepEqual(read({ takesReplies: true }), ["takes_replies"]);
  assert.deepEqual(read({ leasesWithReports: true }), ["leases_with_reports"]);
  const both = { features: [...EDGE_FEATURES], takesReplies: true, leasesWithReports: true };
  assert.deepEqual(read(both), EDGE_FEATURES);
});
