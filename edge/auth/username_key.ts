/** One login however it is typed: `Admin`, ` admin`, full-width letters, and marks nobody sees are the same person. */

/**
 * The compatibility-composed, case-folded form that is unique among users. What is copied out of Hebrew text brings its
 * marks of direction along; no name has any of its own.
 */
export function usernameKey(username: string): string {
  return username.normalize("NFKC").replaceAll(/\p{Cf}/gu, "").trim().toLowerCase();
}
