/**
 * The commonest passwords of 8 characters and more, as people chose them where they were stolen: 17,950, which is more
 * than login_throttle.ts lets anybody guess in a day. `common_passwords.txt` has one a line, in lower case. They are
 * those of `src/passwords.json` in `@zxcvbn-ts/language-common` 4.1.3, under the licence in `common_passwords.LICENSE`.
 */
let known: Set<string> | undefined;

/** Whether `password` is among the first that are guessed, however its letters are cased. */
export function isCommonPassword(password: string): boolean {
  return common().has(password.toLowerCase());
}

/** Read when it is first asked for: most instances never are. */
function common(): Set<string> {
  if (known) return known;
  const text = Deno.readTextFileSync(new URL("./common_passwords.txt", import.meta.url));
  return known = new Set(text.trimEnd().split(/\r?\n/));
}
