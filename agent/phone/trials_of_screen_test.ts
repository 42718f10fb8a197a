import type { LieRates } from "../../simulator/phone/lies.ts";
import { trialTest } from "../testing/trial_test_case.ts";

/** Lies about what is on the screen, before the tap. */
const LIES: Record<string, LieRates> = {
  dumpFails: { dumpFails: 0.5 },
  dumpStale: { dumpStale: 0.5 },
  dumpHangs: { dumpHangs: 0.3 },
  focusNull: { focusNull: 0.5 },
  windowsShuffled: { windowsShuffled: 1, dialogOverChat: 0.5 },
  dialogOverChat: { dialogOverChat: 0.5 },
  dialogHidesChat: { dialogHidesChat: 0.5 },
  dialogSticks: { dialogSticks: 0.5 },
  dialogLeft: { dialogLeft: 0.5 },
  newDialog: { newDialog: 0.2 },
};

for (const [name, lies] of Object.entries(LIES)) trialTest(name, { lies, isPicture: false });
