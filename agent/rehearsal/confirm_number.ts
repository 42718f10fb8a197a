/** Lets a person confirm a number at the phone itself: only its screen shows the code. */
import type { Phone } from "../phone/phone.ts";
import { type Shown, showPage } from "../phone/show_itself.ts";
import type { Sight } from "./rehearsal.ts";

const TRIES = 3;
const SHOWS = 3;
const LAST_DIGITS = 4;
const CODES = 10_000;

/**
 * Shows a code of four digits with the number's last digits, and asks for it: at most three answers, and three showings
 * of the same code.
 *
 * @throws {PhoneBusyError} when an earlier command still runs on it
 * @throws {AdbError} when the phone is lost in the meantime
 */
export async function confirmNumber(
  phone: Phone,
  number: string,
  askCode: (triesLeft: number) => Promise<string | null>,
  signal?: AbortSignal,
): Promise<Sight> {
  const code = randomCode();
  const text = `${code}\n…${number.slice(-LAST_DIGITS)}`;
  let tries = TRIES;
  for (let shows = 0; shows < SHOWS; shows++) {
    let shown: Shown | null = null;
    const seen = Promise.withResolvers<void>();
    const showing = showPage(phone, text, (what) => {
      shown = what;
      seen.resolve();
    }, signal).finally(() => seen.resolve());
    // Its error is thrown where it is awaited, after the person's answer.
    showing.catch(() => {});
    await seen.promise;
    const isReadable = shown === "page" || shown === "notifications";
    let answer = isReadable ? await askCode(tries) : null;
    while (isReadable && answer !== null && answer !== "" && answer !== code && --tries > 0) {
      answer = await askCode(tries);
    }
    // The next command waits for the end of the page in any case.
    await showing;
    if (!isReadable) return "page_not_shown";
    if (answer === null) return "code_missing";
    if (answer === code) return "code_right";
    if (answer !== "") return "code_wrong";
  }
  return "code_missing";
}

function randomCode(): string {
  // 2^32 is so much larger than the codes that none is noticeably likelier.
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(random % CODES).padStart(4, "0");
}
