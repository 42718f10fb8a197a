import type { AuditParts } from "../audit_log/audit_parts.ts";
import { deriveBytes } from "../auth/app_key.ts";

/** The audit log's parts, its heads outside in memory. */
export function testAuditParts(lines: string[] = []): AuditParts {
  const appKey = "a key of tests, long enough to be one";
  return {
    sealKey: deriveBytes(appKey, "audit-seal"),
    markKey: deriveBytes(appKey, "number-mark"),
    heads: {
      append: (line) => Promise.resolve(void lines.push(line)),
      read: () => Promise.resolve([...lines]),
    },
  };
}
