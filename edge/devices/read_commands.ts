import type { DeviceCommand } from "shared/admin_api.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, type RowAs, rowsAs } from "../db/query.ts";
import { commands, users } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";

const SELECT = `SELECT c.id, c.device, c.kind, c.status, c.detail, c.created_at, c.finished_at, u.username
  FROM commands c LEFT JOIN users u ON u.id = c.user`;
const FIELDS = {
  id: commands.id,
  deviceId: commands.device,
  kind: commands.kind,
  status: commands.status,
  detail: commands.detail,
  by: orNull(users.username),
  createdAt: commands.createdAt,
  finishedAt: commands.finishedAt,
};
const SHOWN = 20;
// A stop stays in force here even if the site never received it, and exchange_stops.ts sends it again. One-time
// commands are not repeated late.
const NO_ANSWER: Record<DeviceCommand["kind"], string> = {
  stop: "האתר לא ענה תוך דקה. המכשיר לא יקבל הודעות חדשות בכל מקרה, והאתר יתבקש שוב כשיחזור.",
  start: "האתר לא ענה תוך דקה. הוא יתבקש שוב כשיחזור.",
  restart: "האתר לא ענה תוך ארבע דקות. אי אפשר לדעת אם המכשיר הופעל מחדש, והבקשה לא תישלח שוב.",
  identify: "האתר לא ענה תוך שתי דקות. אי אפשר לדעת אם המסך הואר, והבקשה לא תישלח שוב.",
};
// The beginnings of the site's own messages, which are technical English: agent/site/device_command.ts.
const SITE_SAID: readonly [beginning: string, text: string][] = [
  ["Cannot reach device", "המכשיר לא זמין באתר שלו."],
  ["It did not come back", "המכשיר נכבה ולא חזר תוך שלוש דקות. יש לבדוק אותו במקום."],
  ["The site ended", "תוכנת האתר נכבתה לפני שהמכשיר חזר."],
  ["It shows its notifications", "אין בטלפון אפליקציה שמציגה דפים: לוח ההתראות שלו פתוח בבהירות מלאה."],
  ["Its lock screen", "הטלפון נעול בקוד: מסך הנעילה שלו מואר בבהירות מלאה."],
];

/** Returns one command. @throws {HttpError} `not_found` */
export async function readCommand(ctx: EdgeContext, id: number): Promise<DeviceCommand> {
  const [row] = rowsAs(await ctx.db.execute({ sql: `${SELECT} WHERE c.id = ?`, args: [id] }), FIELDS);
  if (row === undefined) throw new HttpError("not_found");
  return toCommand(row);
}

/** Returns the newest commands of a device. */
export async function listCommands(ctx: EdgeContext, device: number): Promise<DeviceCommand[]> {
  const result = await ctx.db.execute({
    sql: `${SELECT} WHERE c.device = ? ORDER BY c.id DESC LIMIT ${SHOWN}`,
    args: [device],
  });
  return rowsAs(result, FIELDS).map(toCommand);
}

function toCommand(row: RowAs<typeof FIELDS>): DeviceCommand {
  return { ...row, detail: detailOf(row), by: row.by ?? "" };
}

function detailOf({ kind, status, detail }: RowAs<typeof FIELDS>): string | null {
  if (status === "timed_out") return NO_ANSWER[kind];
  if (status === "waiting") return null;
  const known = SITE_SAID.find(([beginning]) => detail?.startsWith(beginning))?.[1];
  return known ?? (status === "failed" ? "האתר לא הצליח לבצע את הפעולה במכשיר." : null);
}
