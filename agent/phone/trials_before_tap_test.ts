import type { LieRates } from "../../simulator/phone/lies.ts";
import { trialTest } from "../testing/trial_test_case.ts";

const TEXTS: Record<string, LieRates> = {
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
  dumpFails: { dumpFails: 0.5 },
  dumpStale: { dumpStale: 0.5 },
  dumpHangs: { dumpHangs: 0.3 },
  focusNull: { focusNull: 0.5 },
  windowsShuffled: { windowsShuffled: 1, dialogOverChat: 0.5 },
  dialogOverChat: { dialogOverChat: 0.5 },
  dialogHidesChat: { dialogHidesChat: 0.5 },
  dialogSticks: { dialogSticks: 0.5 },
  dialogLeft: { dialogLeft: 0.5 },
  numberNotOnApp: { numberNotOnApp: 0.5 },
  otherLanguage: { otherLanguage: 0.5, numberNotOnApp: 0.3 },
};

const PICTURES: Record<string, LieRates> = {
  "no lie (picture)": {},
  captionLost: { captionLost: 0.5 },
  shareAsks: { shareAsks: 0.7 },
  pushLost: { pushLost: 0.5 },
  "startIgnored (picture)": { startIgnored: 0.3 },
};

for (const [name, lies] of Object.entries(TEXTS)) trialTest(name, { lies, isPicture: false });
for (const [name, lies] of Object.entries(PICTURES)) trialTest(name, { lies, isPicture: true });
