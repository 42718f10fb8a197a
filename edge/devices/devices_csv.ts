import type { EdgeContext } from "../context.ts";
import { csvText, csvTime } from "../http/csv.ts";
import { ACCOUNT_MARK_LABELS, DEVICE_STATE_LABELS, USER_KIND_LABELS } from "../text/device_words.ts";
import type { AccountNow } from "./account_now.ts";
import type { DeviceNow } from "./device_now.ts";
import { readDevices } from "./read_devices.ts";

const HEADER = [
  "אתר",
  "מכשיר",
  "כתובת",
  "מספר סידורי",
  "מצב המכשיר",
  "אות חיים",
  "סוללה",
  "חשבון",
  "שם החשבון",
  "אושר",
  "מספר החשבון",
  "משתמש",
  "כיתוב לתמונה",
  "מצב החשבון",
  "הודעות היום",
  "תקרה לחשבון",
  "נותרו היום",
  "תקרה למכשיר",
  "סיכון",
  "סיבה",
  "גרסה",
  "הותקן",
  "פעילות אחרונה",
];

/** Returns every device as a spreadsheet: one line per account, or one line for a device without accounts. */
export async function devicesCsv(ctx: EdgeContext): Promise<string> {
  const lines = (await readDevices(ctx)).flatMap((device) =>
    (device.accounts.length > 0 ? device.accounts : [null]).map((account) => [
      ...deviceCells(device),
      ...accountCells(account, device),
    ])
  );
  return csvText(HEADER, lines);
}

function deviceCells(device: DeviceNow): string[] {
  const { site, name, address, key, state, isStopped, isSiteStopped, proofAt, batteryPercent } = device;
  return [
    site.name,
    name,
    address,
    key,
    isStopped || isSiteStopped ? "נעצר" : DEVICE_STATE_LABELS[state],
    csvTime(proofAt),
    batteryPercent === null ? "" : String(batteryPercent),
  ];
}

function accountCells(account: AccountNow | null, { capPerDay }: DeviceNow): string[] {
  if (account === null) return [...Array(10).fill(""), String(capPerDay), "", "", "", "", ""];
  const {
    name,
    label,
    isConfirmed,
    ownNumber,
    userKind,
    captions,
    mark,
    usedToday,
    risk,
    appVersion,
    firstInstalledAt,
    lastSentAt,
  } = account;
  return [
    name,
    label,
    isConfirmed ? "כן" : "לא",
    ownNumber ?? "",
    userKind === null ? "" : USER_KIND_LABELS[userKind],
    captions === null ? "" : captions ? "כן" : "לא",
    ACCOUNT_MARK_LABELS[mark],
    String(usedToday),
    String(account.capPerDay),
    String(account.leftToday),
    String(capPerDay),
    String(risk.score),
    risk.reasons.join(" "),
    appVersion ?? "",
    csvTime(firstInstalledAt),
    csvTime(lastSentAt),
  ];
}
