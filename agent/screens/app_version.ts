/** Compares versions of apps: "2.25.37.76". */

/** Returns a negative number when `a` is the older version, 0 when they are equal. Parts that are no number count as 0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) =>
    version.split(".").map((part) => Number.parseInt(part) || 0)
  ) as [
    number[],
    number[],
  ];
  for (let part = 0; part < Math.max(left.length, right.length); part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
