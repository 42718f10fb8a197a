/** A whole list as a file: numbers with their dashes, and a column for each field. */
import type { EdgeContext } from "../context.ts";
import { csvPhone, csvStream } from "../http/csv.ts";
import type { Caller } from "../http/router.ts";
import { writeXlsx } from "../tables/write_xlsx.ts";
import { pageContacts } from "./page_contacts.ts";
import type { FoundList } from "./read_list.ts";

/** Reads take some 3 ms. Other requests wait that long in each turn. */
const PAGE = 250;
const PHONE = "מספר";

/** Streams a list in the order of its numbers. It reads the next page only when the reader asks for more. */
export function contactsCsv(
  ctx: EdgeContext,
  user: Caller,
  list: FoundList,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const next = pagesOf(ctx, user, list);
  return csvStream([PHONE, ...list.fields], next);
}

/** Streams the same as a workbook in which every cell is a text. */
export function contactsXlsx(
  ctx: EdgeContext,
  user: Caller,
  list: FoundList,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = writeXlsx(list.name, rowsOf(pagesOf(ctx, user, list), [PHONE, ...list.fields]));
  return new ReadableStream({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) return controller.close();
      controller.enqueue(piece.value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  }, { highWaterMark: 0 });
}

type NextRows = () => Promise<{ rows: string[][]; isLast: boolean }>;

function pagesOf(ctx: EdgeContext, user: Caller, list: FoundList): NextRows {
  let cursor: string | null = null;
  return async () => {
    const { items, nextCursor } = await pageContacts(ctx, user, list, { q: "", cursor, limit: PAGE });
    cursor = nextCursor;
    const rows = items.map(({ phone, fields }) => [
      csvPhone(phone),
      ...list.fields.map((name) => Object.hasOwn(fields, name) ? fields[name]! : ""),
    ]);
    return { rows, isLast: nextCursor === null };
  };
}

async function* rowsOf(next: NextRows, header: string[]): AsyncGenerator<string[]> {
  yield header;
  for (;;) {
    const { rows, isLast } = await next();
    yield* rows;
    if (isLast) return;
  }
}
