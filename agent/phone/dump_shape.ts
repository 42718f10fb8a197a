/**
 * Recognises a notification text that may imitate the dump around it. A writer who knows the format can close the
 * record of their message and open others. The rest of the first record then has no valid place.
 */

const EXTRAS = "extras={";
const END = "}";
const EXTRA = /^\s*android\.[A-Za-z][\w.]*=/;

/** True when an entry of a record's extras is outside of them, or the record does not end with them. */
export function isOutOfShape(record: string): boolean {
  let isInside = false;
  for (const line of record.split("\n")) {
    const text = line.trim();
    if (text === EXTRAS) {
      if (isInside) return true;
      isInside = true;
    } else if (text === END) isInside = false;
    else if (!isInside && EXTRA.test(line)) return true;
  }
  return isInside;
}
