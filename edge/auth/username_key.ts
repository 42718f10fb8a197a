/** Makes every spelling of a username one login: `Admin`, ` admin`, full-width letters and invisible marks. */

/**
 * Returns the compatibility-composed, case-folded form, which is unique among users. Text copied out of Hebrew
 * carries direction marks; they are removed, because no name has its own.
 */
export function usernameKey(username: string): string {
  return username.normalize("NFKC").replaceAll(/\p{Cf}/gu, "").trim().toLowerCase();
}
