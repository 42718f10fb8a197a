import type { LedgerEntry } from "shared/http_api.ts";

/**
 * Joins neighbours of one kind and campaign into one line, newest first: the ledger keeps an entry for each message
 * that was not sent, and a person asks how many there were. The line has the newest balance.
 */
export function mergeEntries(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const lines: LedgerEntry[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (
      last && entry.campaignId !== null && last.campaignId === entry.campaignId && last.kind === entry.kind
    ) {
      lines[lines.length - 1] = { ...last, delta: last.delta + entry.delta };
    } else {
      lines.push(entry);
    }
  }
  return lines;
}
