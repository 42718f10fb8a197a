import type { LieRates } from "../../simulator/phone/lies.ts";
import { trialTest } from "../testing/trial_test_case.ts";

/** Lies from the tap on. */
const LIES: Record<string, LieRates> = {
  dialogBeforeTap: { dialogBeforeTap: 0.5 },
  tapIgnored: { tapIgnored: 0.5 },
  tapHangs: { tapHangs: 0.5 },
  dumpFailsAfterSend: { dumpFailsAfterSend: 1 },
  rowLate: { rowLate: 1 },
  tickPending: { tickPending: 1 },
  shellHangs: { shellHangs: 0.1 },
  offlineMoment: { offlineMoment: 0.03 },
  reboots: { reboots: 0.03 },
  pinLock: { pinLock: 0.3 },
  banned: { banned: 0.3 },
  restricted: { restricted: 0.3 },
  loggedOut: { loggedOut: 0.3 },
};

/** Lies that end an account, a number or a phone permanently. They are rare. */
const FOR_GOOD: LieRates = { banned: 0.01, restricted: 0.01, loggedOut: 0.01, nameTitle: 0.05 };

for (const [name, lies] of Object.entries(LIES)) trialTest(name, { lies, isPicture: false });
trialTest("everything", { lies: FOR_GOOD, faults: 1, isPicture: false });
trialTest("everything (picture)", { lies: FOR_GOOD, faults: 1, isPicture: true });
