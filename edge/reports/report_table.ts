/** The figures of a report, and its recipients, as tables for a spreadsheet. */
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import { DELIVERY_STATES } from "shared/delivery.ts";
import { type Audience, DELIVERY_STATE_LABELS, DELIVERY_WORDS, stateLabel } from "shared/delivery_words.ts";
import type { Delivery } from "shared/http_api.ts";
import type { Report } from "shared/report_api.ts";
import { readDeliveries } from "../campaigns/deliveries.ts";
import type { EdgeContext } from "../context.ts";
import type { CampaignRow } from "../db/schema.ts";
import { csvPhone } from "../http/csv.ts";
import type { SessionUser } from "../http/router.ts";
import { zonedTime } from "../time/zoned_time.ts";
import { type ExportTable, wholeTable } from "./export_table.ts";

/** Reads take some 3 ms. Other requests wait that long in each turn. */
const PAGE = 250;
const STATE_COLUMNS = DELIVERY_STATES.map((state) =>
  [state, DELIVERY_STATE_LABELS[state], "figure"] as const
);
const FIGURE_COLUMNS = [
  ["section", "חלק בדוח"],
  ["name", "שם"],
  ["label", "בעברית"],
  ["start", "התחלה"],
  ["end", "סיום"],
  ["recipients", "נמענים", "figure"],
  ...STATE_COLUMNS,
  ["removals", "בקשות הסרה", "figure"],
] as const;

interface Figures {
  section: string;
  name?: string;
  label?: string;
  start?: number | null;
  end?: number | null;
  recipients?: number;
  counts?: Partial<Report["counts"]>;
  removals?: number;
}

/** Returns the figures of a report; each section is one kind of rows. */
export function reportTable(report: Report, reader: Audience): ExportTable {
  const words = DELIVERY_WORDS[reader];
  const { name, total, counts, removals, startedAt, completedAt, field, places } = report;
  const rows: Figures[] = [
    {
      section: "summary",
      name,
      label: "הקמפיין",
      start: startedAt,
      end: completedAt,
      recipients: total,
      counts,
      removals: removals.total,
    },
    ...report.outcomes.map(({ state, reason, count }) => ({
      section: "outcome",
      name: reason ?? state,
      label: reason === null ? DELIVERY_STATE_LABELS[state] : words.reasons[reason],
      recipients: count,
      counts: { [state]: count },
    })),
    ...report.times.points.map(({ at, removals, ...counts }) => ({
      section: report.times.step,
      label: report.times.step === "hour" ? "לאורך זמן, לפי שעה" : "לאורך זמן, לפי יום",
      start: at,
      counts,
      removals,
    })),
    ...report.byHour.map(({ removals, ...counts }, hour) => ({
      section: "hour_of_day",
      name: String(hour),
      label: `בין ${hour}:00 ל־${hour + 1}:00`,
      counts,
      removals,
    })),
    ...field === null ? [] : fieldRows(field),
    ...(places ?? []).map(({ site, name, account, ...counts }) => ({
      section: "account",
      name: [site, name, account].filter(Boolean).join(" / "),
      label: "חשבון שולח",
      counts,
    })),
    ...report.earlier.map((earlier) => ({
      section: "earlier_campaign",
      name: earlier.name,
      label: "קמפיין קודם",
      start: earlier.startedAt,
      end: earlier.completedAt,
      recipients: earlier.total,
      counts: earlier.counts,
      removals: earlier.removals,
    })),
  ];
  return { title: name, columns: FIGURE_COLUMNS, next: wholeTable(rows.map(cellsOf)) };
}

function fieldRows({ name, values, rest }: NonNullable<Report["field"]>): Figures[] {
  return [
    ...values.map(({ value, ...counts }) => ({
      section: "field",
      name: value,
      label: value === "" ? `${name}: ללא ערך` : name,
      recipients: sumOf(counts),
      counts,
    })),
    ...rest === null ? [] : [{
      section: "field_rest",
      label: `${name}: ${rest.values} ערכים נוספים`,
      recipients: sumOf({ ...rest, values: 0 }),
      counts: rest,
    }],
  ];
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function cellsOf(figures: Figures): string[] {
  const { section, name = "", label = "", start = null, end = null, recipients, counts, removals } = figures;
  return [
    section,
    name,
    label,
    zonedTime(start),
    zonedTime(end),
    numberCell(recipients),
    ...DELIVERY_STATES.map((state) => numberCell(counts?.[state])),
    numberCell(removals),
  ];
}

function numberCell(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

const SENDER: Record<Audience, string> = { admin: "חשבון", client: "מספר שולח" };

/** Returns every recipient in the order of the numbers; a page is read when the reader asks for it. */
export function recipientTable(
  ctx: EdgeContext,
  user: SessionUser,
  { id, name, status }: Pick<CampaignRow, "id" | "name" | "status">,
  masked: boolean,
): ExportTable {
  const isUnsent = EDITABLE_STATUSES.includes(status);
  let cursor: string | undefined;
  return {
    title: name,
    columns: [
      ["phone", "מספר"],
      ["state", "קוד מצב"],
      ["state_label", "מצב"],
      ["reason", "קוד סיבה"],
      ["reason_label", "סיבה"],
      ["sender", SENDER[user.role]],
      ["attempts", "ניסיונות", "figure"],
      ["updated_at", "עודכן"],
    ],
    async next() {
      const { items, nextCursor } = await readDeliveries(ctx, user, id, { cursor, limit: PAGE, masked });
      cursor = nextCursor ?? undefined;
      return {
        rows: items.map((item) => recipientCells(item, user.role, isUnsent)),
        isLast: nextCursor === null,
      };
    },
  };
}

function recipientCells(
  { phone, state, reason, account, sender, attempts, at }: Delivery,
  reader: Audience,
  isUnsent: boolean,
): string[] {
  return [
    csvPhone(phone),
    state,
    stateLabel(state, isUnsent),
    reason ?? "",
    reason === null ? "" : DELIVERY_WORDS[reader].reasons[reason],
    sender === null ? account ?? "" : csvPhone(sender),
    String(attempts),
    zonedTime(at),
  ];
}
