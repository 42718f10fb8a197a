/**
 * Whether a text in a notification may have been written to look like the dump around it. Whoever knows the form can
 * close the record their message stands in and open others; what was left of the first then stands where nothing does.
 */

const EXTRAS = "extras={";
const END = "}";
const EXTRA = /^\s*android\.[A-Za-z][\w.]*=/;

/** True when an entry of a record's extras stands outside them, or they do not end with it. */
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
