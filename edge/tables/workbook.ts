/** A workbook of Excel (XLSX, ECMA-376): its sheets, and the rows of one of them with bounded memory. */
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { inflateEntry, InflateMeter } from "./inflate_entry.ts";
import { numberFormat, type ShowNumber } from "./number_format.ts";
import { readXml, type XmlHandlers } from "./read_xml.ts";
import { readSharedTexts, SharedTexts } from "./shared_texts.ts";
import { type CellSources, sheetCsv } from "./sheet_csv.ts";
import { TableRefusal } from "./table_refusal.ts";
import { readZipDirectory, type ZipEntry } from "./zip_directory.ts";

export interface Sheet {
  /** From 1, among the sheets that have cells. */
  no: number;
  name: string;
  isHidden: boolean;
}

interface FoundSheet extends Sheet {
  entry: ZipEntry;
}

/** Excel allows some hundred. */
const MAX_SHEETS = 255;
const MAX_NAME_CHARS = 31;
const MAX_FORMATS = 65_536;

export class Workbook {
  readonly sheets: readonly Sheet[];
  readonly #found: readonly FoundSheet[];
  readonly #parts: Parts;
  readonly #styles: ZipEntry | undefined;
  readonly #texts: ZipEntry | undefined;
  readonly #is1904: boolean;
  /** Read once for all sheets. */
  #sources: Promise<CellSources> | undefined;

  private constructor(
    parts: Parts,
    found: FoundSheet[],
    of: { styles?: ZipEntry; texts?: ZipEntry; is1904: boolean },
  ) {
    this.#parts = parts;
    this.#found = found;
    this.sheets = found.map(({ no, name, isHidden }) => ({ no, name, isHidden }));
    this.#styles = of.styles;
    this.#texts = of.texts;
    this.#is1904 = of.is1904;
  }

  /**
   * Opens a workbook and reads the names of its sheets.
   *
   * @throws {TableRefusal} when it is broken, encrypted, or another kind of archive
   */
  static async open(file: Uint8Array, yieldToEventLoop: YieldToEventLoop): Promise<Workbook> {
    const parts = new Parts(file, yieldToEventLoop);
    const path = await workbookPath(parts);
    const relations = await readRelations(parts, relationsPath(path));
    const { listed, is1904 } = await readSheetList(parts, path);
    const found: FoundSheet[] = [];
    for (const { name, isHidden, relation } of listed) {
      const target = relations.find(({ id }) => id === relation);
      if (target === undefined || !target.type.endsWith("/worksheet")) continue;
      const entry = parts.find(resolvePath(path, target.path));
      if (entry === undefined) throw new TableRefusal("broken_file");
      found.push({ no: found.length + 1, name, isHidden, entry });
    }
    if (found.length === 0) {
      const hasMacros = relations.some(({ type }) => /macrosheet|vbaProject/i.test(type));
      throw new TableRefusal(hasMacros ? "macros_only" : "empty_sheet");
    }
    const ofType = (type: string) => {
      const relation = relations.find((one) => one.type.endsWith(`/${type}`));
      return relation && parts.find(resolvePath(path, relation.path));
    };
    const styles = ofType("styles");
    const texts = ofType("sharedStrings");
    return new Workbook(parts, found, { is1904, ...(styles && { styles }), ...(texts && { texts }) });
  }

  /**
   * Returns a sheet as CSV, null when no cell of it has a value.
   *
   * @throws {TableRefusal} `no_such_sheet`, `broken_file`, `too_large_inside`, `too_many_columns`
   */
  async csv(no: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const sheet = this.#found.find((one) => one.no === no);
    if (sheet === undefined) throw new TableRefusal("no_such_sheet");
    const parts = this.#parts;
    const sources = await (this.#sources ??= this.#readSources());
    return await sheetCsv(parts.pieces(sheet.entry), sources, parts.yieldToEventLoop);
  }

  async #readSources(): Promise<CellSources> {
    const parts = this.#parts;
    const formats = this.#styles === undefined ? [] : await readFormats(parts, this.#styles, this.#is1904);
    const texts = this.#texts === undefined
      ? new SharedTexts()
      : await readSharedTexts(parts.pieces(this.#texts), parts.yieldToEventLoop);
    return { texts, formats };
  }
}

/** The parts of one archive; all that are read count together. */
class Parts {
  readonly yieldToEventLoop: YieldToEventLoop;
  readonly #file: Uint8Array;
  readonly #entries: Map<string, ZipEntry>;
  readonly #meter: InflateMeter;

  constructor(file: Uint8Array, yieldToEventLoop: YieldToEventLoop) {
    this.#file = file;
    this.#entries = readZipDirectory(file);
    this.#meter = new InflateMeter(file.length);
    this.yieldToEventLoop = yieldToEventLoop;
  }

  /** Names of parts differ in case between programs (ECMA-376-2, 6.2.2.3). */
  find(path: string): ZipEntry | undefined {
    const direct = this.#entries.get(path);
    if (direct !== undefined) return direct;
    const lower = path.toLowerCase();
    for (const [name, entry] of this.#entries) if (name.toLowerCase() === lower) return entry;
  }

  pieces(entry: ZipEntry): AsyncIterable<Uint8Array> {
    return inflateEntry(this.#file, entry, this.#meter);
  }

  async read(entry: ZipEntry, open: XmlHandlers["open"]): Promise<void> {
    const handlers: XmlHandlers = { open, text() {}, close() {} };
    await readXml(this.pieces(entry), handlers, this.yieldToEventLoop);
  }
}

async function workbookPath(parts: Parts): Promise<string> {
  const root = parts.find("_rels/.rels");
  if (root === undefined) {
    const isDocument = ["mimetype", "content.xml", "Index/Document.iwa", "META-INF/MANIFEST.MF"].some(
      (name) => parts.find(name) !== undefined,
    );
    throw new TableRefusal(isDocument ? "open_document" : "not_a_table");
  }
  const relation = (await readRelations(parts, "_rels/.rels")).find(({ type }) =>
    type.endsWith("/officeDocument")
  );
  if (relation === undefined) throw new TableRefusal("not_a_table");
  const path = resolvePath("", relation.path);
  if (path.endsWith(".bin")) throw new TableRefusal("binary_excel");
  // A text or a presentation is such an archive as well.
  if (!/^xl\//i.test(path) && /^(word|ppt)\//i.test(path)) throw new TableRefusal("not_a_table");
  if (parts.find(path) === undefined) throw new TableRefusal("broken_file");
  return path;
}

interface Relation {
  id: string;
  type: string;
  path: string;
}

async function readRelations(parts: Parts, path: string): Promise<Relation[]> {
  const entry = parts.find(path);
  if (entry === undefined) throw new TableRefusal("broken_file");
  const relations: Relation[] = [];
  await parts.read(entry, (element) => {
    if (element.name !== "Relationship" || relations.length >= 2 * MAX_SHEETS) return;
    if (element.attribute("TargetMode") === "External") return;
    const read = (name: string) => element.attribute(name) ?? "";
    relations.push({ id: read("Id"), type: read("Type"), path: read("Target") });
  });
  return relations;
}

interface ListedSheet {
  name: string;
  isHidden: boolean;
  relation: string;
}

async function readSheetList(
  parts: Parts,
  path: string,
): Promise<{ listed: ListedSheet[]; is1904: boolean }> {
  const listed: ListedSheet[] = [];
  let is1904 = false;
  await parts.read(parts.find(path)!, (element) => {
    if (element.name === "workbookPr") is1904 = /^(1|true)$/.test(element.attribute("date1904") ?? "");
    if (element.name !== "sheet" || listed.length >= MAX_SHEETS) return;
    // "sheetId" is another number.
    const relation = element.attribute("id");
    if (relation === undefined) return;
    const isHidden = (element.attribute("state") ?? "visible") !== "visible";
    listed.push({ name: sheetName(element.attribute("name") ?? ""), isHidden, relation });
  });
  return { listed, is1904 };
}

/** Reads how each style shows its numbers. */
async function readFormats(parts: Parts, entry: ZipEntry, is1904: boolean): Promise<(ShowNumber | null)[]> {
  const codes = new Map<number, string>();
  const shown = new Map<number, ShowNumber | null>();
  const formats: (ShowNumber | null)[] = [];
  let isOfCells = false;
  const handlers: XmlHandlers = {
    open(element) {
      const { name } = element;
      if (name === "cellXfs") isOfCells = true;
      else if (name === "numFmt" && codes.size < MAX_FORMATS) {
        codes.set(Number(element.attribute("numFmtId")), element.attribute("formatCode") ?? "");
      } else if (name === "xf" && isOfCells && formats.length < MAX_FORMATS) {
        const id = Number(element.attribute("numFmtId") ?? 0);
        let show = shown.get(id);
        if (show === undefined) shown.set(id, show = numberFormat(id, codes.get(id) ?? null, is1904));
        formats.push(show);
      }
    },
    text() {},
    close(name) {
      if (name === "cellXfs") isOfCells = false;
    },
  };
  await readXml(parts.pieces(entry), handlers, parts.yieldToEventLoop);
  return formats;
}

function sheetName(name: string): string {
  return name.replace(/[\p{C}\p{Z}]+/gu, " ").trim().slice(0, MAX_NAME_CHARS);
}

function relationsPath(path: string): string {
  const cut = path.lastIndexOf("/") + 1;
  return `${path.slice(0, cut)}_rels/${path.slice(cut)}.rels`;
}

/** Resolves a relation's target against the part that names it. */
function resolvePath(from: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const folders = from.split("/").slice(0, -1);
  for (const name of target.split("/")) {
    if (name === "..") folders.pop();
    else if (name !== "." && name !== "") folders.push(name);
  }
  return folders.join("/");
}
