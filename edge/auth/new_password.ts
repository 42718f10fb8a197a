/** Refuses new passwords that attackers try first; the length is checked elsewhere. */
import { HttpError } from "../http/http_error.ts";
import { usernameKey } from "./username_key.ts";
import { isCommonPassword } from "./common_passwords.ts";

/** Names that every screen shows. */
const OUR_WORDS = ["shigur", "שיגור", "admin", "demo"];

/** Returns in a Hebrew sentence why `username` may not have `password`; null when it may. */
export function weaknessOf(username: string, password: string): string | null {
  const words = [...OUR_WORDS, coreOf(username)].filter((word) => word !== "");
  if (words.includes(coreOf(password))) {
    return "אי אפשר לבחור סיסמה שהיא שם המשתמש או שם המערכת. נא לבחור סיסמה אחרת.";
  }
  if (isCommonPassword(password)) return "הסיסמה הזאת נפוצה מאוד וקל לנחש אותה. נא לבחור סיסמה אחרת.";
  return null;
}

/** Returns the word without digits and signs around it: an attacker tries "Shigur2026!" as a form of the name. */
function coreOf(text: string): string {
  return usernameKey(text).replaceAll(/^[\d\p{P}\p{S}\s]+|[\d\p{P}\p{S}\s]+$/gu, "");
}

/** @throws HttpError `invalid_input` with the sentence of weaknessOf() */
export function checkNewPassword(username: string, password: string): void {
  const text = weaknessOf(username, password);
  if (text !== null) throw new HttpError("invalid_input", { text });
}
