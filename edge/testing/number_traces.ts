import { Buffer } from "node:buffer";
import type { Client } from "@libsql/client/web";

/** Returns the tables that still hold a number's digits, in international or national form. `phone` is "+972…". */
export async function tablesThatHold(db: Client, phone: string): Promise<string[]> {
  const digits = phone.slice(1);
  const { rows: tables } = await db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.execute(`SELECT * FROM "${name}"`);
    const texts = rows.flatMap((row) => Object.values({ ...row }))
      .map((value) => value instanceof ArrayBuffer ? Buffer.from(value).toString("latin1") : String(value));
    if (texts.some((text) => text.includes(digits) || text.includes(digits.slice(3)))) {
      found.push(String(name));
    }
  }
  return found;
}
