/**
 * Maps each row of the specification to the test that proves it: the error catalogue (§8) and the validation rules
 * (§5).
 */
import assert from "node:assert/strict";

/** Row → file and name of its test or step. */
const PROVEN: Record<string, readonly [file: string, name: string]> = {
  "§8 login fails": ["e2e/spec_rows_e2e_test.ts", "login fails"],
  "§8 login succeeds": ["e2e/spec_rows_e2e_test.ts", "login succeeds"],
  "§8 logout fails": ["e2e/spec_rows_e2e_test.ts", "logout fails: in the console and nowhere else"],
  "§8 realtime parse, connect or error problem": [
    "e2e/client_screens_e2e_test.ts",
    "after five tries the live channel gives up, polling goes on, and the button connects again",
  ],
  "§8 create failure": ["e2e/spec_rows_e2e_test.ts", "create fails"],
  "§8 upload failure": ["e2e/spec_rows_e2e_test.ts", "upload fails"],
  "§8 send fails, list": [
    "e2e/spec_rows_e2e_test.ts",
    "send fails in the list: the server's sentence, else the fallback",
  ],
  "§8 send fails, detail": [
    "e2e/spec_rows_e2e_test.ts",
    "send fails on the campaign's own screen: the server's sentence, else the fallback",
  ],
  "§8 send succeeds": [
    "e2e/spec_rows_e2e_test.ts",
    "send succeeds: the toast, the status, and the quota asked again",
  ],
  "§8 campaign missing": ["e2e/spec_rows_e2e_test.ts", "a campaign that is missing"],
  "§8 create user fails": [
    "e2e/spec_rows_e2e_test.ts",
    "create user fails: the server's sentence, else the fallback",
  ],
  "§8 create user succeeds": [
    "e2e/spec_rows_e2e_test.ts",
    "create user succeeds: the toast, and the form is empty again",
  ],
  "§8 quota load fails": [
    "e2e/spec_rows_e2e_test.ts",
    "quota load fails: the server's sentence, else the fallback",
  ],
  "§8 quota load succeeds": [
    "e2e/spec_rows_e2e_test.ts",
    "quota load succeeds: the toast with the new balance, and the count is 10 again",
  ],
  "§8 queue clear succeeds, the server's message": [
    "e2e/spec_rows_e2e_test.ts",
    "confirmed, it does what the dialog announced",
  ],
  "§8 queue clear succeeds, a count": [
    "e2e/spec_rows_e2e_test.ts",
    "without a sentence of the server it counts the cleared tasks",
  ],
  "§8 queue clear fails": [
    "e2e/spec_rows_e2e_test.ts",
    "queue clear fails: the server's sentence, else the fallback",
  ],
  "§8 unknown route": ["e2e/spec_rows_e2e_test.ts", "an unknown path"],
  "§8 unknown route below /admin": ["e2e/spec_rows_e2e_test.ts", "an unknown path below /admin"],
  "§8 at most one toast": ["e2e/spec_shell_e2e_test.ts", "a new one takes the old one's place"],
  "§5 login": ["e2e/spec_validation_e2e_test.ts", "login requires both fields"],
  "§5 create campaign": ["e2e/spec_validation_e2e_test.ts", "a campaign needs a name and a message"],
  "§5 upload contacts": [
    "e2e/spec_validation_e2e_test.ts",
    "contacts need a campaign first, then a file that is there",
  ],
  "§5 upload and manual add without a campaign": [
    "web/features/contacts/add_contacts_test.ts",
    "Missing numbers or campaign",
  ],
  "§5 file inputs": [
    "e2e/spec_validation_e2e_test.ts",
    "files: images alone, .csv and .xlsx alone, and at most 10 MB",
  ],
  "§5 manual numbers": [
    "e2e/spec_validation_e2e_test.ts",
    "manual numbers: one a line, only digits count, repetitions are taken out",
  ],
  "§5 campaign files": [
    "e2e/spec_validation_e2e_test.ts",
    "the file queue needs a .csv or .xlsx file of at most 10 MB",
  ],
  "§5 create user": ["e2e/spec_validation_e2e_test.ts", "a user needs a name and a password"],
  "§5 load messages": ["e2e/spec_validation_e2e_test.ts", "loading needs a whole number above zero"],
  "§5 settings": [
    "e2e/spec_validation_e2e_test.ts",
    "settings: whole messages, seconds in tenths, bounds shown",
  ],
};

Deno.test("every row of §5 and §8 has the test that the list names", async () => {
  const root = new URL("../", import.meta.url);
  const files = new Map<string, string>();
  const missing: string[] = [];
  for (const [row, [file, name]] of Object.entries(PROVEN)) {
    if (!files.has(file)) files.set(file, await Deno.readTextFile(new URL(file, root)));
    if (!files.get(file)!.includes(`"${name}"`)) missing.push(`${row}: ${file} has no "${name}"`);
  }
  assert.deepEqual(missing, []);
});
