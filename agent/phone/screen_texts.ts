/** The meaning of words on the app's screens. The words themselves are data: agent/screens. */
import type { DialogMeaning } from "../screens/screen_file.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import { SHIPPED_WORDS } from "../screens/shipped_files.ts";
import { plainDigits } from "./number_text.ts";

export type { DialogMeaning };

/** Returns the meaning of a dialog's words, or null when they are unknown or mean nothing for the account. */
export function dialogMeaning(text: string, words: ScreenWords = SHIPPED_WORDS): DialogMeaning | null {
  const kind = words.dialogKind(text);
  return kind === "in_the_way" ? null : kind;
}

/** True when the words name a phone number other than `phone` ("+972…"). They may omit its country code. */
export function namesOtherNumber(text: string, phone: string): boolean {
  const named = /\d[\d\s()\-\u2010-\u2015]{5,}\d/.exec(plainDigits(text))?.[0].replace(/\D/g, "").replace(
    /^0/,
    "",
  );
  return named !== undefined && !phone.endsWith(named);
}
