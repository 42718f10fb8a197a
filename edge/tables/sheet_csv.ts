import { MAX_TABLE_COLUMNS } from "shared/table_words.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { isPlainNumber, isPlainText, plainNumber, plainText } from "./cell_text.ts";
import { CsvWriter } from "./csv_writer.ts";
import type { ShowNumber } from "./number_format.ts";
import { readXml, type XmlHandlers } from "./read_xml.ts";
import { type SharedTexts, TextItem } from "./shared_texts.ts";
import { TableRefusal } from "./table_refusal.ts";
import type { XmlScanner } from "./xml_scanner.ts";

/** What cells name by place. */
export interface CellSources {
  texts: SharedTexts;
  formats: readonly (ShowNumber | null)[];
}

const MAX_ROWS = 1_048_576;
/** A cell has at most 32,767 signs. */
const MAX_VALUE_CHARS = 40_000;
/** A sheet of 10 MB has 20 to 30 MB of text. */
const MAX_CSV_BYTES = 40 * 1024 * 1024;

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/**
 * Writes a sheet's part as CSV; line n is row n of the sheet. Returns null when no cell has a value.
 *
 * @throws {TableRefusal} `broken_file`, `too_many_columns`, `too_large_inside`
 */
export async function sheetCsv(
  pieces: AsyncIterable<Uint8Array>,
  sources: CellSources,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const writer = new CsvWriter(MAX_CSV_BYTES);
  await readXml(pieces, new SheetReader(sources, writer), yieldToEventLoop);
  return writer.rows === 0 ? null : writer.finish();
}

class SheetReader implements XmlHandlers {
  readonly #texts: SharedTexts;
  readonly #formats: readonly (ShowNumber | null)[];
  readonly #writer: CsvWriter;
  #isData = false;
  #rowNumber = 0;
  #column = -1;
  #type = "n";
  #style = 0;
  #isValue = false;
  /** Whether the value of the cell was already written. */
  #isWritten = false;
  #value = "";
  #isInline = false;
  readonly #inline = new TextItem();

  constructor({ texts, formats }: CellSources, writer: CsvWriter) {
    this.#texts = texts;
    this.#formats = formats;
    this.#writer = writer;
  }

  open(scanner: XmlScanner): void {
    const { name } = scanner;
    if (name === "c") this.#openCell(scanner);
    else if (name === "v") this.#isValue = this.#isData;
    else if (name === "row") this.#openRow(scanner);
    else if (name === "is") this.#isInline = this.#isData;
    else if (name === "sheetData") this.#isData = true;
    else if (this.#isInline) this.#inline.open(name);
  }

  text(scanner: XmlScanner): void {
    if (this.#isInline) this.#inline.add(scanner);
    else if (this.#isValue && !this.#writePlain(scanner) && this.#value.length < MAX_VALUE_CHARS) {
      this.#value += scanner.text();
    }
  }

  close(name: string): void {
    if (name === "v") this.#isValue = false;
    else if (name === "c") this.#closeCell();
    else if (name === "row") this.#closeRow();
    else if (name === "is") this.#isInline = false;
    else if (name === "sheetData") this.#isData = false;
    else if (this.#isInline) this.#inline.close(name);
  }

  #openRow(scanner: XmlScanner): void {
    if (!this.#isData) return;
    this.#closeRow();
    const rowNumber = scanner.hasAttribute("r") ? numberIn(scanner) : this.#rowNumber + 1;
    // Rows that go back could name one row many times.
    if (!(rowNumber > this.#rowNumber && rowNumber <= MAX_ROWS)) throw new TableRefusal("broken_file");
    this.#rowNumber = rowNumber;
    this.#column = -1;
  }

  #openCell(scanner: XmlScanner): void {
    this.#column = scanner.hasAttribute("r") ? columnIn(scanner) : this.#column + 1;
    this.#type = scanner.hasAttribute("t") ? typeIn(scanner) : "n";
    this.#style = scanner.hasAttribute("s") ? numberIn(scanner) : 0;
    this.#isWritten = false;
    if (this.#value !== "") this.#value = "";
    this.#inline.begin();
  }

  /** Writes a value that needs no change, without making a string of it. */
  #writePlain({ bytes, from, to, isRaw }: XmlScanner): boolean {
    if (this.#isWritten || this.#value !== "" || isRaw) return false;
    if (this.#type === "s") {
      const no = indexIn(bytes, from, to);
      this.#write(this.#texts.bytes, this.#texts.from(no), this.#texts.to(no));
      return true;
    }
    const isPlain = this.#type === "n"
      ? !this.#formats[this.#style] && isPlainNumber(bytes, from, to)
      : this.#type === "str" && isPlainText(bytes, from, to);
    if (isPlain) this.#write(bytes, from, to);
    return isPlain;
  }

  #closeCell(): void {
    if (!this.#isData || this.#isWritten) return;
    if (this.#type === "inlineStr") this.#write(this.#inline.finish());
    else if (this.#value !== "") this.#write(encoder.encode(this.#shownValue()));
  }

  #shownValue(): string {
    const value = this.#value;
    if (this.#type === "n") return plainNumber(value, this.#formats[this.#style] ?? null);
    if (this.#type === "b") return value === "1" ? "TRUE" : "FALSE";
    if (this.#type === "d") {
      const day = value.replace(/T00:00:00(\.0+)?Z?$/, "").replace(/^(\d{4})-(\d\d)-(\d\d)/, "$3/$2/$1");
      return plainText(day);
    }
    // Texts that a formula gave, and errors as "#N/A".
    return plainText(value);
  }

  #write(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#isWritten = true;
    if (from === to) return;
    const column = this.#column;
    if (column >= MAX_TABLE_COLUMNS) throw new TableRefusal("too_many_columns");
    const writer = this.#writer;
    if (writer.rows + 1 < this.#rowNumber) this.#skipRows();
    // Cells that go back: no program writes them.
    if (writer.fields > column) throw new TableRefusal("broken_file");
    while (writer.fields < column) must(writer.add(NOTHING));
    must(writer.add(bytes, from, to));
  }

  #skipRows(): void {
    while (this.#writer.rows + 1 < this.#rowNumber) must(this.#writer.endRow());
  }

  #closeRow(): void {
    if (this.#writer.fields > 0) must(this.#writer.endRow());
  }
}

function must(fits: boolean): void {
  if (!fits) throw new TableRefusal("too_large_inside");
}

const TYPES = ["s", "n", "str", "inlineStr", "b", "e", "d"];

function typeIn({ bytes, from, to }: XmlScanner): string {
  for (const type of TYPES) {
    if (type.length !== to - from) continue;
    let at = 0;
    while (at < type.length && bytes[from + at] === type.charCodeAt(at)) at++;
    if (at === type.length) return type;
  }
  return "e";
}

/** Returns the number in an attribute. @throws {TableRefusal} `broken_file` */
function numberIn({ bytes, from, to }: XmlScanner): number {
  const value = indexIn(bytes, from, to);
  if (value < 0) throw new TableRefusal("broken_file");
  return value;
}

/** Returns a number of at most nine digits, -1 = it is none. */
function indexIn(bytes: Uint8Array, from: number, to: number): number {
  if (from === to || to - from > 9) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Returns the column of a reference such as "BC12", from 0. @throws {TableRefusal} `broken_file` */
function columnIn({ bytes, from, to }: XmlScanner): number {
  let column = 0;
  for (let at = from; at < to && column <= 16_384; at++) {
    const letter = bytes[at]! & 0xdf;
    if (letter < 0x41 || letter > 0x5a) break;
    column = column * 26 + letter - 0x40;
  }
  if (column === 0 || column > 16_384) throw new TableRefusal("broken_file");
  return column - 1;
}
