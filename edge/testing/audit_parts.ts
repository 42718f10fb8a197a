import { type AppKeys, deriveBytes, deriveKeys } from "../keys/app_key.ts";
import type { AuditParts } from "../context.ts";

export const TEST_APP_KEY = "a key of tests, long enough to be one";

export const TEST_MARK_KEYS = deriveKeys([TEST_APP_KEY], "database-mark");

/** The audit log's parts, with its outside heads in memory. */
export function testAuditParts(
  lines: string[] = [],
  appKeys: AppKeys = [TEST_APP_KEY],
): AuditParts {
  return {
    sealKeys: deriveKeys(appKeys, "audit-seal"),
    markKey: deriveBytes(TEST_APP_KEY, "number-mark"),
    heads: {
      append: (line) => Promise.resolve(void lines.push(line)),
      read: () => Promise.resolve([...lines]),
    },
  };
}
