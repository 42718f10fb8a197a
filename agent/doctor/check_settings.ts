/** Checks the settings of a phone: what was asked, what was seen, and what to press. */
import { DESK_POINTS, type DeskPoint, pressSentence } from "shared/desk_guide.ts";
import { errorText } from "../log.ts";
import type { AppAccount, Phone } from "../phone/phone.ts";
import { askSettings, readSettings, type SettingsSight } from "../phone/phone_settings.ts";
import { type Finding, finding, type FindingCode, type Sentence } from "./words.ts";

/** Returns one finding for all that is right, and one for each setting that is wrong or unseen. */
export async function checkSettings(
  phone: Phone,
  accounts: readonly AppAccount[],
  stop: AbortSignal,
): Promise<Finding[]> {
  let sight: SettingsSight;
  try {
    sight = await askSettings(phone, accounts, stop);
  } catch (error) {
    stop.throwIfAborted();
    // The phone has answered other questions: what is known of it stays.
    const nothing = readSettings("", accounts, 0);
    const seen = errorText(error).slice(0, 120);
    sight = { ...nothing, points: nothing.points.map((one) => ({ ...one, seen })) };
  }
  const right = sight.points.filter(({ verdict }) => verdict === "right").map(({ point }) => point);
  return [
    ...(right.length === 0 ? [] : [rightFinding(phone.device, right)]),
    ...sight.points.filter(({ verdict }) => verdict !== "right").map(({ point, verdict, asked, seen }) => {
      const { name, wrong } = DESK_POINTS[point];
      const press = pressSentence(point, sight.maker);
      return finding(codeOf(point, verdict === "wrong"), {
        device: phone.device,
        setting: point,
        asked,
        seen,
        name,
        wrong,
        press,
      });
    }),
  ];
}

function codeOf(point: DeskPoint, isWrong: boolean): FindingCode {
  if (!isWrong) return "setting_unseen";
  return DESK_POINTS[point].stops ? "setting_stops" : "setting_wrong";
}

function rightFinding(device: string, points: readonly DeskPoint[]): Finding {
  const names = (language: keyof Sentence) =>
    points.map((point) => DESK_POINTS[point].name[language]).join(", ");
  return finding("settings_right", {
    device,
    settings: points.join(","),
    names: { he: names("he"), en: names("en") },
  });
}
