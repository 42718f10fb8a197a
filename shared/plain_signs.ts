/**
 * Characters that a terminal or an editor may obey: C0 and C1 controls, line and paragraph separators, direction
 * marks.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns JSON or plain text with those characters escaped as in JSON, for one line of a log. */
export function inPlainSigns(line: string): string {
  return line.replace(UNSEEN, (sign) => {
    const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
