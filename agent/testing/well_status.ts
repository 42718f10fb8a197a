/** The status of a site that sends. Tests change it. */
import type { SiteStatus } from "../site/site_status.ts";

export const WELL: SiteStatus = {
  writtenAt: 1_000,
  startedAt: 0,
  pid: Deno.pid,
  version: "1.0.0",
  edgeUrl: "https://shigur.example",
  phase: "working",
  site: { id: 7, name: "תל אביב" },
  worksite: {
    edge: { isConnected: true, since: 1, heardAt: 2, why: null },
    devices: [{ device: "A", model: "", state: "offline" }, { device: "B", model: "", state: "online" }],
    accounts: [],
    unknownScreens: [],
    screens: { files: [], ignored: [] },
    waitingOutcomes: 0,
    journal: { counter: 3, leased: 0, tapping: 0 },
  },
};
