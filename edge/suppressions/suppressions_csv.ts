import type { Suppression } from "shared/suppressions_api.ts";
import type { EdgeContext } from "../context.ts";
import { csvPhone, csvStream, csvTime } from "../http/csv.ts";
import type { ListOwner } from "./list_owner.ts";
import { listSuppressions } from "./list_suppressions.ts";

const HEADER = ["מספר", "מקור", "נוסף"];
const SOURCES: Record<Suppression["source"], string> = {
  manual: "הוקלד",
  file: "קובץ",
  reply: "בקשת הנמען",
};
/** The same size as in deliveriesCsv(). */
const PAGE = 250;

/**
 * Streams a user's whole list, newest first. It reads the next page only when the reader asks for more; numbers are
 * masked as on the screen.
 */
export function suppressionsCsv(ctx: EdgeContext, owner: ListOwner): ReadableStream<Uint8Array<ArrayBuffer>> {
  let cursor: number | undefined;
  return csvStream(HEADER, async () => {
    const { items, nextCursor } = await listSuppressions(ctx, owner, { q: undefined, cursor, limit: PAGE });
    cursor = nextCursor ?? undefined;
    const rows = items.map(({ phone, source, at }) => [csvPhone(phone), SOURCES[source], csvTime(at)]);
    return { rows, isLast: nextCursor === null };
  });
}
