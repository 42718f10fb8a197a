import type { LieRates } from "../../simulator/phone/lies.ts";
import { trialTest } from "../testing/trial_test_case.ts";

/** Lies on the way to the right chat. */
const LIES: Record<string, LieRates> = {
  "no lie": {},
  startIgnored: { startIgnored: 0.5 },
  homeIgnored: { homeIgnored: 0.5, startIgnored: 0.3 },
  startSlow: { startSlow: 1 },
  "startSlow, opened again": { startSlow: 0.5, wrongChat: 0.2, otherAccount: 0.2, dialogHidesChat: 0.3 },
  startHangs: { startHangs: 0.3 },
  wrongChat: { wrongChat: 0.5 },
  otherAccount: { otherAccount: 0.5 },
  nameTitle: { nameTitle: 0.5 },
  draftKept: { draftKept: 0.5 },
  draftLost: { draftLost: 0.5 },
  numberNotOnApp: { numberNotOnApp: 0.5 },
  otherLanguage: { otherLanguage: 0.5, numberNotOnApp: 0.3 },
};

for (const [name, lies] of Object.entries(LIES)) trialTest(name, { lies, isPicture: false });
