/**
 * The commonest stolen passwords of 8 characters and more: 17,950, more than login_throttle.ts allows anyone to guess
 * in a day. `common_passwords.txt` has one in each line, in lower case. They come from `src/passwords.json` in
 * `@zxcvbn-ts/language-common` 4.1.3, under the licence in `common_passwords.LICENSE`.
 */
let known: Set<string> | undefined;

/** Returns whether `password` is a common one, in any letter case. */
export function isCommonPassword(password: string): boolean {
  return common().has(password.toLowerCase());
}

/** Reads the list at first use: most instances never need it. */
function common(): Set<string> {
  if (known) return known;
  const text = Deno.readTextFileSync(new URL("./common_passwords.txt", import.meta.url));
  return known = new Set(text.trimEnd().split(/\r?\n/));
}
