import type { LedgerEntry } from "shared/http_api.ts";

/**
 * Returns entries with neighbours of one kind and campaign merged, newest first. The ledger has one entry for each
 * unsent message, but people want their number. A merged entry has the newest balance.
 */
export function mergeEntries(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const lines: LedgerEntry[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (
      last && entry.campaignId !== null && last.campaignId === entry.campaignId && last.kind === entry.kind &&
      // A refund that was undone is a line of its own.
      last.delta > 0 === entry.delta > 0
    ) {
      lines[lines.length - 1] = { ...last, delta: last.delta + entry.delta };
    } else {
      lines.push(entry);
    }
  }
  return lines;
}
