/** C0 and C1 controls, line and paragraph ends, directions of text: what a terminal or an editor may obey. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The same JSON, or the same words, with those escaped as JSON escapes them; for a line of a log. */
export function inPlainSigns(line: string): string {
  return line.replace(UNSEEN, (sign) => {
    const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
