import type { InValue } from "@libsql/client/web";

const namesOf = new Map<string, string[]>();

/** Returns a statement with only those of `args` that its SQL names; SQLite refuses any other. */
export function statement(sql: string, args: Record<string, InValue>): { sql: string; args: typeof args } {
  let names = namesOf.get(sql);
  if (names === undefined) {
    names = [...new Set(Array.from(sql.matchAll(/:([a-z]\w*)/gi), (match) => match[1]))];
    namesOf.set(sql, names);
  }
  const named: typeof args = {};
  for (const name of names) named[name] = args[name];
  return { sql, args: named };
}
