/** The recipients of a campaign as a spreadsheet file: each number with its state and reason. */
import { DELIVERY_REASON_TEXT, DELIVERY_STATE_LABELS } from "shared/delivery_words.ts";
import type { Delivery } from "shared/http_api.ts";
import { siteCalled } from "shared/site_name.ts";
import type { EdgeContext } from "../context.ts";
import type { SessionUser } from "../http/router.ts";
import { readDeliveries } from "./deliveries.ts";
import { csvPhone, csvStream, csvTime } from "../http/csv.ts";

const HEADER = ["מספר", "מצב", "סיבה", "חשבון", "ניסיונות", "עודכן"];
/** Reads take some 3 ms. Other requests wait that long in each turn. */
const PAGE = 250;

/** Streams every delivery in the order of the numbers. It reads the next page only when the reader asks for more. */
export function deliveriesCsv(
  ctx: EdgeContext,
  user: SessionUser,
  campaign: number,
  masked: boolean,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let cursor: string | undefined;
  return csvStream(HEADER, async () => {
    const { items, nextCursor } = await readDeliveries(ctx, user, campaign, { cursor, limit: PAGE, masked });
    cursor = nextCursor ?? undefined;
    return { rows: items.map(cellsOf), isLast: nextCursor === null };
  });
}

function cellsOf({ phone, state, reason, waitingForSite, account, attempts, at }: Delivery): string[] {
  return [
    csvPhone(phone),
    waitingForSite === null ? DELIVERY_STATE_LABELS[state] : `ממתין ל${siteCalled(waitingForSite)}`,
    reason === null ? "" : DELIVERY_REASON_TEXT[reason],
    account ?? "",
    String(attempts),
    csvTime(at),
  ];
}
