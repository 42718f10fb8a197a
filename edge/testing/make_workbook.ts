/** Builds workbooks part by part, as programs do and as they do not. */
import { type ZipPart, zipPieces } from "../tables/zip_pieces.ts";

export interface WorkbookParts {
  /** The XML of `<sheetData>` and after, by the sheet's name; or the whole XML of a sheet when it begins with "<?". */
  sheets?: Record<string, string | AsyncIterable<Uint8Array>>;
  /** The XML of `<si>` elements. */
  texts?: string;
  /** The XML within `<styleSheet>`. */
  styles?: string;
  /** The state of each sheet by its name. */
  states?: Record<string, "hidden" | "veryHidden">;
  is1904?: boolean;
  /** All parts that are texts are written in it, with its mark. */
  wide?: "utf-16le" | "utf-16be";
  /** Parts that replace or follow those of the workbook. */
  more?: Record<string, string | AsyncIterable<Uint8Array>>;
}

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";

/** Returns the bytes of a workbook. */
export async function makeWorkbook(of: WorkbookParts = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { sheets = { גיליון1: "<sheetData/>" }, texts, styles, states = {}, is1904, wide, more = {} } = of;
  const names = Object.keys(sheets);
  const relations = names.map((_, i) =>
    `<Relationship Id="rId${i + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`
  );
  if (texts !== undefined) {
    relations.push(`<Relationship Id="rT" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/>`);
  }
  if (styles !== undefined) {
    relations.push(`<Relationship Id="rS" Type="${OFFICE}/styles" Target="styles.xml"/>`);
  }
  const listed = names.map((name, i) =>
    `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"${
      states[name] ? ` state="${states[name]}"` : ""
    }/>`
  );
  const parts: Record<string, ZipPart["content"]> = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels":
      `<Relationships xmlns="${RELATIONS}"><Relationship Id="r" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${
      is1904 ? '<workbookPr date1904="1"/>' : ""
    }<sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${RELATIONS}">${relations.join("")}</Relationships>`,
    ...(texts === undefined ? {} : { "xl/sharedStrings.xml": `<sst xmlns="${MAIN}">${texts}</sst>` }),
    ...(styles === undefined
      ? {}
      : { "xl/styles.xml": `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` }),
  };
  names.forEach((name, i) => {
    const xml = sheets[name]!;
    parts[`xl/worksheets/sheet${i + 1}.xml`] = typeof xml !== "string" || xml.startsWith("<?")
      ? xml
      : `<worksheet xmlns="${MAIN}">${xml}</worksheet>`;
  });
  const all = Object.entries({ ...parts, ...more });
  return await zipOf(Object.fromEntries(all.map(([name, content]) => [
    name,
    wide === undefined || typeof content !== "string" ? content : inWide(content, wide),
  ])));
}

/** Yields a text in UTF-16 in pieces of odd lengths. */
async function* inWide(text: string, label: "utf-16le" | "utf-16be"): AsyncGenerator<Uint8Array> {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  const isLittle = label === "utf-16le";
  view.setUint16(0, 0xfeff, isLittle);
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at + 2, text.charCodeAt(at), isLittle);
  for (let at = 0; at < bytes.length; at += 999) yield bytes.subarray(at, at + 999);
}

/** Returns an archive of parts. */
export async function zipOf(parts: Record<string, ZipPart["content"]>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of zipPieces(Object.entries(parts).map(([name, content]) => ({ name, content })))) {
    pieces.push(new Uint8Array(piece));
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Returns `<sheetData>` with rows of inline texts. */
export function textRows(...rows: string[][]): string {
  const xml = rows.map((cells) =>
    `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${escape(cell)}</t></is></c>`).join("")}</row>`
  );
  return `<sheetData>${xml.join("")}</sheetData>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
