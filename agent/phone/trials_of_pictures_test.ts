import type { LieRates } from "../../simulator/phone/lies.ts";
import { trialTest } from "../testing/trial_test_case.ts";

/** Lies about a picture, before and after the tap. */
const LIES: Record<string, LieRates> = {
  "no lie (picture)": {},
  captionLost: { captionLost: 0.5 },
  shareAsks: { shareAsks: 0.7 },
  pushLost: { pushLost: 0.5 },
  "startIgnored (picture)": { startIgnored: 0.3 },
  "tapIgnored (picture)": { tapIgnored: 0.5 },
  "reboots (picture)": { reboots: 0.02 },
};

for (const [name, lies] of Object.entries(LIES)) trialTest(name, { lies, isPicture: true });
