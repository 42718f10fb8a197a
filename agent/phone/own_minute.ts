/** Distinguishes a tap's new row from an existing row with the same text, because rows show no seconds. */
import { newRows, type OutgoingRow, showsText } from "./app_screen.ts";
import type { AppAccount, Phone } from "./phone.ts";

/**
 * Waits for the phone's next minute when a new row of `text` would look the same as a row in sight. Returns true when
 * it waited: the screen then has to be read again.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function awaitOwnMinute(
  phone: Phone,
  inSight: OutgoingRow[],
  text: string,
  { account, signal }: { account?: AppAccount; signal?: AbortSignal } = {},
): Promise<boolean> {
  const before = inSight.map(({ fingerprint }) => fingerprint);
  const alike = inSight.filter((row) =>
    showsText(row.text, text, account?.words) && newRows(before, [...inSight, row]).length === 0
  );
  if (alike.length === 0) return false;
  const [minute, second = 0] = (await phone.run("date +%M:%S", { signal })).split(":").map(Number);
  if (alike.every((row) => row.minute !== null && row.minute !== minute)) return false;
  await phone.clock.sleep((61 - second) * 1_000, signal);
  return true;
}
