/** Writes a list as a workbook. A text stays a text: a phone number keeps its zeros, and no cell is a formula. */
import { type ZipPart, zipPieces } from "./zip_pieces.ts";

const PIECE_CHARS = 64 * 1024;
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** The built-in format "@". */
const AS_TEXT = 49;
/** Excel's bound. */
const MAX_SHEET_NAME_CHARS = 31;
const MAX_CELL_CHARS = 32_767;

/** A figure is a number, of which a program makes sums. */
export type XlsxCell = string | number;

const encoder = new TextEncoder();
// deno-lint-ignore no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Yields the bytes of a workbook with one sheet, written from right to left. It keeps no more than a piece of the rows.
 */
export function writeXlsx(
  sheetName: string,
  rows: Iterable<readonly XlsxCell[]> | AsyncIterable<readonly XlsxCell[]>,
): AsyncGenerator<Uint8Array> {
  const name = escapeXml(sheetName.replace(/[\\/?*[\]:]/g, " ").slice(0, MAX_SHEET_NAME_CHARS));
  return zipPieces([
    part(
      "[Content_Types].xml",
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    ),
    part("_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]])),
    part(
      "xl/workbook.xml",
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    part(
      "xl/_rels/workbook.xml.rels",
      relations([["worksheet", "worksheets/sheet1.xml"], ["styles", "styles.xml"]]),
    ),
    part(
      "xl/styles.xml",
      `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="${AS_TEXT}" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ),
    { name: "xl/worksheets/sheet1.xml", content: sheetPieces(rows) },
  ]);
}

async function* sheetPieces(
  rows: Iterable<readonly XlsxCell[]> | AsyncIterable<readonly XlsxCell[]>,
): AsyncGenerator<Uint8Array> {
  let xml =
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView rightToLeft="1" workbookViewId="0"/></sheetViews><sheetData>`;
  for await (const row of rows) {
    xml += "<row>";
    for (const cell of row) {
      xml += typeof cell === "number"
        ? `<c><v>${cell}</v></c>`
        : `<c s="1" t="inlineStr"><is><t xml:space="preserve">${cellXml(cell)}</t></is></c>`;
    }
    xml += "</row>";
    if (xml.length < PIECE_CHARS) continue;
    yield encoder.encode(xml);
    xml = "";
  }
  yield encoder.encode(`${xml}</sheetData></worksheet>`);
}

function cellXml(text: string): string {
  // "_x0041_" in a text would be read as an escaped sign.
  return escapeXml(text.slice(0, MAX_CELL_CHARS).replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_"));
}

function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function part(name: string, xml: string): ZipPart {
  return { name, content: XML + xml };
}

function relations(targets: [type: string, target: string][]): string {
  const all = targets.map(([type, target], i) =>
    `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`
  );
  return `<Relationships xmlns="${RELATIONS}">${all.join("")}</Relationships>`;
}
