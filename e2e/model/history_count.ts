/** Returns how many histories to run: `SHIGUR_HISTORIES`, or `usual`. */
export function readCount(usual: number): number {
  const asked = Number(Deno.env.get("SHIGUR_HISTORIES") ?? usual);
  return Number.isSafeInteger(asked) && asked > 0 ? asked : usual;
}
