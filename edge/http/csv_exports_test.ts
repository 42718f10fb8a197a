/** Every spreadsheet file, with cells full of other people's text: none begins a formula, and figures stay figures. */
import assert from "node:assert/strict";
import { createSite } from "../sites/create_site.ts";
import { keepRejected } from "../contacts/rejected_rows.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { OPT_IN, paste } from "../testing/advertising.ts";
import { loadFile, makeList } from "../testing/list_acts.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { addressOf, ROUTES } from "../testing/route_table.ts";
import { BYTE_ORDER_MARK, csvLine } from "./csv.ts";

const EXPORTS = Object.keys(ROUTES).filter((route) => /\.csv$/.test(route));
/** The one file without other people's text: numbers, a word of ours and a time. */
const WITHOUT_WORDS = "GET /api/suppressions.csv";
const STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"];

for (const start of STARTS) {
  Deno.test(`no cell of an export begins with ${JSON.stringify(start)}`, async () => {
    await using house = await openAdminHouse();
    const words = `${start}HYPERLINK("http://x";"a,b")`;
    const namesIn = await fill(house, words);
    for (const route of EXPORTS) {
      const answer = await house.admin.ask(addressOf(route, namesIn(route)));
      assert.equal(answer.status, 200, route);
      const bytes = await answer.arrayBuffer();
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      assert.ok(text.startsWith(BYTE_ORDER_MARK), route);
      const rows = parse(text.slice(1));
      assert.ok(rows.length > 1, `${route} is empty`);
      for (const cell of rows.flat()) assert.ok(!STARTS.includes(cell[0] ?? ""), `${route}: ${cell}`);
      if (route === WITHOUT_WORDS) continue;
      assert.ok(
        rows.flat().some((cell) => cell === `'${words}` || cell.includes(words)),
        `${route}: ${text}`,
      );
    }
  });
}

Deno.test("each of the nine exports is a file that no browser opens as a page", async () => {
  assert.equal(EXPORTS.length, 9);
  await using house = await openAdminHouse();
  const namesIn = await fill(house, "סתיו");
  for (const route of EXPORTS) {
    const { headers, body } = await house.admin.ask(addressOf(route, namesIn(route)));
    await body!.cancel();
    assert.match(headers.get("content-disposition")!, /^attachment; filename="[\w.-]+\.csv"$/, route);
    assert.equal(headers.get("content-type"), "text/csv; charset=utf-8", route);
  }
});

Deno.test("csvLine() does not change figures, times and Israeli numbers", () => {
  const cells = ["0", "12345", "0.5", "2026-11-22 10:00:00", "054-371-0968", "", "שלום", "a=b", " =1"];
  assert.equal(csvLine(cells), cells.map((cell) => `"${cell}"`).join(",") + "\r\n");
});

for (const separator of [",", ";", "\t"]) {
  Deno.test(`csvLine() writes no formula when ${JSON.stringify(separator)} separates cells`, () => {
    for (const start of STARTS) {
      for (const before of ["", ";", "\t", ",", "\n", "\r\n", ';"', 'a","', '""";', "x;;", "x\t\n"]) {
        const line = csvLine(["דני", `x${before}${start}1`, `${before}${start}1`, "סוף"]);
        for (const cell of cellsOf(line, separator)) {
          assert.ok(!STARTS.includes(cell[0] ?? ""), `${JSON.stringify(line)}: ${JSON.stringify(cell)}`);
        }
      }
    }
    assert.equal(csvLine(["a;b", "x - y", "5, 6"]), '"a;b","x - y","5, 6"\r\n');
  });
}

/** Reads a line as spreadsheets do: quotes count only at the beginning of a cell, and text after them continues it. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at < text.length;) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] === '"' && text[at + 1] === '"') at++;
        else if (text[at] === '"') break;
        cell += text[at];
      }
      at++;
    }
    while (at < text.length && text[at] !== separator && text[at] !== "\r" && text[at] !== "\n") {
      cell += text[at++];
    }
    cells.push(cell);
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
  return cells;
}

/**
 * Fills a house with `words` wherever a person, a phone or a file can write. Returns a function that gives the ids in
 * an export's address.
 */
async function fill({ edge, fleet, admin }: AdminHouse, words: string) {
  const { db } = edge.ctx;
  const client = await edge.addPerson({ messageQuota: 5 });
  const site = await fleet.addSite();
  const { id, phones } = await sendNew(fleet, 2, client);
  await report(fleet, site, await take(fleet, site, 1), "failed", { reason: "not_on_app" });
  const draft = await fleet.addCampaign(client, 0);
  await db.execute(`UPDATE campaigns SET kind = 'marketing', status = 'draft' WHERE id = ${draft.id}`);
  await paste(client, draft.id, "0521111111\n0501", OPT_IN);
  const { import: importId } = await fleet.one(`SELECT import FROM deliveries WHERE campaign = ${draft.id}`);
  await db.execute(keepRejected(Number(importId), [{ row: 1, text: words, problem: "too_short" }]));
  await admin.ask("/api/suppressions", { method: "POST", json: { numbers: phones[0] } });
  await createSite(edge.ctx, words, admin.id);
  const list = await makeList(client);
  await loadFile(client, list, ["phone,name", "0521111111,x"]);
  const writes = [
    "UPDATE sites SET name = name || :words WHERE name <> :words",
    "UPDATE devices SET key = :words, address = :words, model = :words",
    "UPDATE accounts SET key = :words, label = :words, app_version = :words",
    "UPDATE imports SET file_name = :words",
    "UPDATE campaigns SET name = :words",
    "UPDATE lists SET fields = json_array(:words)",
    "UPDATE contacts SET fields = json_object(:words, :words)",
    `UPDATE users SET username = :words WHERE id = ${client.id}`,
  ];
  for (const sql of writes) await db.execute({ sql, args: { words } });
  return (route: string): Record<string, number> => {
    if (route.includes("/users/")) return { id: client.id };
    if (route.includes("/lists/")) return { id: list };
    if (route.includes("/files/")) return { id: Number(importId) };
    return { id: route.includes("/imports/") ? draft.id : id, importId: Number(importId) };
  };
}

/** Parses RFC 4180 strictly: every cell quoted, every line ended by CRLF. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /"((?:[^"]|"")*)"(,|\r\n)/gy;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    assert.ok(match, `no cell at ${at}: ${text.slice(at, at + 40)}`);
    row.push(match[1]!.replaceAll('""', '"'));
    if (match[2] === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
