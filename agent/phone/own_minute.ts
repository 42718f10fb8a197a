/** Keeps the row that a tap will add apart from one with the same text that is there already: rows show no seconds. */
import { newRows, type OutgoingRow, showsText } from "./app_screen.ts";
import type { Phone } from "./phone.ts";

/**
 * Waits for the phone's next minute when a row of `text` sent in this one could not be told from a row in sight.
 * True = it waited, and what is on the screen has to be looked at again.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function awaitOwnMinute(
  phone: Phone,
  inSight: OutgoingRow[],
  text: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const before = inSight.map(({ fingerprint }) => fingerprint);
  const alike = inSight.filter((row) =>
    showsText(row.text, text) && newRows(before, [...inSight, row]).length === 0
  );
  if (alike.length === 0) return false;
  const [minute, second = 0] = (await phone.run("date +%M:%S", { signal })).split(":").map(Number);
  if (alike.every((row) => row.minute !== null && row.minute !== minute)) return false;
  await phone.clock.sleep((61 - second) * 1_000, signal);
  return true;
}
