/** Counts the people a phone knows by name. Chats with them have the name as title, and get no message. */
import { readRunningUsers } from "./android_users.ts";
import { type Phone, PhoneCommandError } from "./phone.ts";

/**
 * Counts the saved contacts of every running Android user. Returns null when the phone does not give them.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function countSavedContacts(phone: Phone, signal?: AbortSignal): Promise<number | null> {
  let count = 0;
  for (const user of readRunningUsers(await phone.run("pm list users", { signal }))) {
    const inUser = await countOfUser(phone, user, signal);
    if (inUser === null) return null;
    count += inUser;
  }
  return count;
}

async function countOfUser(phone: Phone, user: number, signal?: AbortSignal): Promise<number | null> {
  const uri = "content://com.android.contacts/contacts";
  try {
    const output = await phone.run(`content query --user ${user} --uri ${uri} --projection _id`, { signal });
    const rows = output.match(/^Row: \d+ /gm)?.length ?? 0;
    return rows > 0 ? rows : output.includes("No result found") ? 0 : null;
  } catch (error) {
    if (error instanceof PhoneCommandError) return null;
    throw error;
  }
}
