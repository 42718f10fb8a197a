import type { LedgerEntry, Role } from "shared/http_api.ts";
import { type LedgerActor, ledgerWords } from "shared/ledger_words.ts";
import type { EdgeContext } from "../context.ts";
import { csvStream, csvTime } from "../http/csv.ts";
import { listLedger } from "./list_ledger.ts";

const HEADER = ["מועד", "על מה", "קמפיין", "מי", "סיבה", "נוספו", "ירדו", "יתרה"];
const PAGE = 250;

/**
 * Streams a client's whole ledger, newest first, as `role` sees it. It reads the next page only when the reader asks
 * for more.
 */
export function ledgerCsv(
  ctx: EdgeContext,
  clientId: number,
  role: Role,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let cursor: number | undefined;
  return csvStream(HEADER, async () => {
    const { items, nextCursor } = await listLedger(ctx, { clientId, role, cursor, limit: PAGE });
    cursor = nextCursor ?? undefined;
    return { rows: items.map(cellsOf), isLast: nextCursor === null };
  });
}

function cellsOf(entry: LedgerEntry): string[] {
  const { at, campaignName, actor, actorName, reason, delta, balanceAfter } = entry;
  return [
    csvTime(at),
    ledgerWords(entry),
    campaignName ?? "",
    actorName ?? ACTORS[actor],
    reason ?? "",
    // Two columns: a figure with a minus sign would be read as a formula.
    delta > 0 ? String(delta) : "",
    delta < 0 ? String(-delta) : "",
    String(balanceAfter),
  ];
}

const ACTORS: Record<LedgerActor, string> = { client: "הלקוח", admin: "מנהל המערכת", system: "המערכת" };
