/** One login however it is typed: `Admin`, ` admin` and full-width letters are the same person. */

/** The compatibility-composed, case-folded form that is unique among users. */
export function usernameKey(username: string): string {
  return username.normalize("NFKC").trim().toLowerCase();
}
