/** A month's statement as a table for a spreadsheet. */
import { ledgerWords } from "shared/ledger_words.ts";
import type { Statement } from "shared/statement_api.ts";
import { zonedTime } from "../time/zoned_time.ts";
import { type ExportTable, wholeTable } from "./export_table.ts";

const COLUMNS = [
  ["section", "חלק"],
  ["name", "שם"],
  ["label", "בעברית"],
  ["time", "מועד"],
  ["entries", "תנועות", "figure"],
  ["added", "נוספו", "figure"],
  ["taken", "ירדו", "figure"],
  ["reserved", "נלקחו בשליחה", "figure"],
  ["returned", "הוחזרו", "figure"],
  ["charged", "חויבו אחר כך", "figure"],
  ["net", "עלות", "figure"],
  ["balance", "יתרה", "figure"],
] as const;
type Column = (typeof COLUMNS)[number][0];

/** Returns the lines of a statement: balances, sums by kind, campaigns, loads and corrections. */
export function statementTable(found: Statement): ExportTable {
  const rows: Partial<Record<Column, string>>[] = [
    balance("opening", "יתרת פתיחה", found.from, found.opening),
    ...found.kinds.map(({ kind, entries, units }) => ({
      section: "kind",
      name: kind,
      label: ledgerWords({ kind, delta: units }),
      entries: String(entries),
      ...change(units),
    })),
    ...found.campaigns.map(({ name, startedAt, ...units }) => ({
      section: "campaign",
      name,
      label: "קמפיין",
      time: zonedTime(startedAt),
      ...unitCells(units),
    })),
    ...found.moreCampaigns === null ? [] : [{
      section: "more_campaigns",
      label: `${found.moreCampaigns.campaigns} קמפיינים נוספים`,
      ...unitCells(found.moreCampaigns),
    }],
    ...found.loads.map(({ at, kind, units, reason }) => ({
      section: "load",
      name: reason ?? "",
      label: ledgerWords({ kind, delta: units }),
      time: zonedTime(at),
      ...change(units),
    })),
    ...found.moreLoads === null ? [] : [{
      section: "more_loads",
      label: `${found.moreLoads.entries} טעינות ותיקונים נוספים`,
      ...change(found.moreLoads.units),
    }],
    balance("closing", "יתרת סגירה", Math.min(found.until, found.at), found.closing),
  ];
  return {
    title: found.month,
    columns: COLUMNS,
    next: wholeTable(rows.map((row) => COLUMNS.map(([name]) => row[name] ?? ""))),
  };
}

function balance(section: string, label: string, at: number, units: number): Partial<Record<Column, string>> {
  return { section, label, time: zonedTime(at), balance: String(units) };
}

/** Two columns: a figure with a minus sign would be read as a formula. */
function change(units: number): Partial<Record<Column, string>> {
  return units >= 0 ? { added: String(units) } : { taken: String(-units) };
}

function unitCells(
  { reserved, returned, charged, net }: Pick<
    Statement["campaigns"][number],
    "reserved" | "returned" | "charged" | "net"
  >,
): Partial<Record<Column, string>> {
  return {
    reserved: String(reserved),
    returned: String(returned),
    charged: String(charged),
    // More was returned in this month than taken.
    ...net >= 0 ? { net: String(net) } : { added: String(-net) },
  };
}
