/** The recipients of a campaign as a file for a spreadsheet: who got it, who did not, and why. */
import { DELIVERY_REASON_TEXT, DELIVERY_STATE_LABELS } from "shared/delivery_words.ts";
import type { Delivery } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { readDeliveries } from "./deliveries.ts";
import type { CampaignRow } from "./read.ts";

const HEADER = ["מספר", "מצב", "סיבה", "חשבון", "ניסיונות", "עודכן"];
const PAGE = 1_000;
/** Without it Excel takes UTF-8 for the system's code page, and Hebrew comes out as gibberish. */
const BYTE_ORDER_MARK = "\ufeff";

/** Streams every delivery by number, page by page as the reader asks, whatever their count. */
export function deliveriesCsv(
  ctx: EdgeContext,
  campaign: CampaignRow,
  masked: boolean,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let cursor: string | undefined;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + line(HEADER)));
    },
    async pull(controller) {
      const page = await readDeliveries(ctx, campaign, { cursor, limit: PAGE, masked });
      const lines = page.items.map((delivery) => line(cellsOf(delivery)));
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (page.nextCursor === null) controller.close();
      else cursor = page.nextCursor;
    },
  });
}

function cellsOf({ phone, state, reason, waitingForSite, account, attempts, at }: Delivery): string[] {
  return [
    localPhone(phone),
    waitingForSite === null ? DELIVERY_STATE_LABELS[state] : `ממתין לאתר ${waitingForSite}`,
    reason === null ? "" : DELIVERY_REASON_TEXT[reason],
    account ?? "",
    String(attempts),
    localTime.format(at),
  ];
}

const localTime = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Jerusalem",
  dateStyle: "short",
  timeStyle: "medium",
});

/** "+972543710968" → "054-371-0968": the dashes keep a spreadsheet from dropping the leading zero. */
function localPhone(phone: string): string {
  const match = /^\+972(\d{1,2})(.{3})(\d{4})$/.exec(phone);
  return match ? `0${match[1]}-${match[2]}-${match[3]}` : phone;
}

function line(cells: string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** Quoted, and never the beginning of a formula (OWASP, CSV injection). */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
