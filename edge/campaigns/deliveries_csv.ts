/** The recipients of a campaign as a spreadsheet file: each number with its state and reason. */
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import { type Audience, DELIVERY_WORDS, stateLabel } from "shared/delivery_words.ts";
import type { Delivery } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import type { Caller } from "../http/router.ts";
import { readDeliveries } from "./deliveries.ts";
import type { CampaignRow } from "../db/schema.ts";
import { csvPhone, csvStream, csvTime } from "../http/csv.ts";

const SENDER: Record<Audience, string> = { admin: "חשבון", client: "מספר שולח" };
/** Reads take some 3 ms. Other requests wait that long in each turn. */
const PAGE = 250;

/** Streams every delivery in the order of the numbers. It reads the next page only when the reader asks for more. */
export function deliveriesCsv(
  ctx: EdgeContext,
  user: Caller,
  { id, status }: Pick<CampaignRow, "id" | "status">,
  masked: boolean,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const isUnsent = EDITABLE_STATUSES.includes(status);
  let cursor: string | undefined;
  const header = ["מספר", "מצב", "סיבה", SENDER[user.role], "ניסיונות", "עודכן"];
  return csvStream(header, async () => {
    const { items, nextCursor } = await readDeliveries(ctx, user, id, { cursor, limit: PAGE, masked });
    cursor = nextCursor ?? undefined;
    return { rows: items.map((item) => cellsOf(item, user.role, isUnsent)), isLast: nextCursor === null };
  });
}

function cellsOf(
  { phone, state, reason, waitingForSite, account, sender, attempts, at }: Delivery,
  reader: Audience,
  isUnsent: boolean,
): string[] {
  const words = DELIVERY_WORDS[reader];
  return [
    csvPhone(phone),
    waitingForSite === null ? stateLabel(state, isUnsent) : `ממתין ל${words.siteCalled(waitingForSite)}`,
    reason === null ? "" : words.reasons[reason],
    sender === null ? account ?? "" : csvPhone(sender),
    String(attempts),
    csvTime(at),
  ];
}
