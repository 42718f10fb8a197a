/** Evidence of consent as a file: the number, the date, the declaring user, and the basis. */
import type { ConsentBasis } from "shared/consent.ts";
import { shownPhone } from "../numbers/mask_phone.ts";
import type { EdgeContext } from "../context.ts";
import { csvPhone, csvStream, csvTime } from "../http/csv.ts";
import type { Caller } from "../http/router.ts";
import { orNull, type RowAs, rowsAs } from "../db/query.ts";
import { campaigns, consentDeclarations, consents, imports, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

const HEADER = [
  "לקוח",
  "מספר",
  "בסיס",
  "מקור",
  "מועד ההסכמה",
  "הוצהר",
  "בידי",
  "קובץ",
  "קמפיין",
  "סימן של מספר שהוסתר",
];
const BASES: Record<ConsentBasis, string> = { opt_in: "הסכמה מראש", existing_customer: "לקוחות קיימים" };
/** The same size as in deliveriesCsv(). */
const PAGE = 250;
const TYPED = "מספרים שהוקלדו";
/** The list was deleted, alone or with its campaign: its kind (file or typed) is no longer known. */
const LIST_GONE = "הרשימה נמחקה";
// Two statements: a single one with `:client IS NULL OR …` would read all clients' rows for one client.
const select = (whose: string) =>
  `SELECT n.id, n.phone, n.mark, d.at, d.basis, d.source, d.obtained_on, c.username AS client,
    u.username AS by, CASE WHEN d.list IS NOT NULL THEN coalesce(l.name, '${LIST_GONE}')
      WHEN i.id IS NULL THEN '${LIST_GONE}' WHEN i.file_name = '' THEN '${TYPED}'
      ELSE i.file_name END AS list, k.name AS campaign
  FROM consents n JOIN consent_declarations d ON d.id = n.declaration
  LEFT JOIN users c ON c.id = n.client LEFT JOIN users u ON u.id = d.user
  LEFT JOIN imports i ON i.id = d.import LEFT JOIN campaigns k ON k.id = d.campaign
  LEFT JOIN lists l ON l.id = d.list
  WHERE n.id > :after ${whose} ORDER BY n.id LIMIT ${PAGE}`;
const FIELDS = {
  id: consents.id,
  phone: consents.phone,
  mark: consents.mark,
  at: consentDeclarations.at,
  basis: consentDeclarations.basis,
  source: consentDeclarations.source,
  obtainedOn: consentDeclarations.obtainedOn,
  client: orNull(users.username),
  by: orNull(users.username),
  list: imports.fileName,
  campaign: orNull(campaigns.name),
};
const ALL = select("");
const OWN = select("AND n.client = :client");

/**
 * Streams the consents in the order of their declaration. It reads the next page only when the reader asks for more;
 * administrators get masked numbers.
 */
export function consentsCsv(
  ctx: EdgeContext,
  { client, role }: Pick<Caller, "client" | "role">,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const isAdmin = role === "admin";
  let after = 0;
  return csvStream(HEADER, async () => {
    const rows = rowsAs(await ctx.db.execute(statement(isAdmin ? ALL : OWN, { after, client })), FIELDS);
    after = rows.at(-1)?.id ?? after;
    return { rows: rows.map((row) => cellsOf(row, isAdmin)), isLast: rows.length < PAGE };
  });
}

function cellsOf(row: RowAs<typeof FIELDS>, isMasked: boolean): string[] {
  return [
    row.client ?? "",
    csvPhone(shownPhone(row.phone, isMasked ? "end" : "none")),
    BASES[row.basis],
    row.source,
    row.obtainedOn ?? "",
    csvTime(row.at),
    row.by ?? "",
    row.list,
    row.campaign ?? "",
    row.mark ?? "",
  ];
}
