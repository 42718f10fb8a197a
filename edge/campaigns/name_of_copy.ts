import { MAX_NAME_CHARS } from "shared/campaign.ts";

const COPY_MARK = /^(.*?) ?\(עותק(?: (\d{1,6}))?\)$/s;

/** Returns "סתיו (עותק)" for "סתיו", and "סתיו (עותק 2)" for that; a long name is cut. */
export function nameOfCopy(name: string): string {
  const [, whole = name, number] = COPY_MARK.exec(name) ?? [];
  const mark = whole === name ? " (עותק)" : ` (עותק ${Number(number ?? 1) + 1})`;
  const letters = Array.from(whole);
  while (letters.join("").length + mark.length > MAX_NAME_CHARS) letters.pop();
  return letters.join("").trimEnd() + mark;
}
