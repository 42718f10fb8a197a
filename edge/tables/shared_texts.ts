import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { isPlainText, plainText } from "./cell_text.ts";
import { readXml } from "./read_xml.ts";
import { TableRefusal } from "./table_refusal.ts";
import type { XmlScanner } from "./xml_scanner.ts";

/** Of all texts together, after each was cut. */
const MAX_BYTES = 40 * 1024 * 1024;
const MAX_TEXTS = 1_500_000;
const FIRST_BYTES = 256 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Texts that the cells of a workbook name by their places, in UTF-8: strings would hold the memory of all the XML. */
export class SharedTexts {
  bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #ends = new Uint32Array(1024);
  #count = 0;

  /** Adds a text. @throws {TableRefusal} `too_large_inside` */
  add(text: Uint8Array): void {
    const length = this.#length + text.length;
    if (length > MAX_BYTES || this.#count === MAX_TEXTS) throw new TableRefusal("too_large_inside");
    if (length > this.bytes.length) {
      const larger = new Uint8Array(Math.min(MAX_BYTES, Math.max(2 * this.bytes.length, length)));
      larger.set(this.bytes.subarray(0, this.#length));
      this.bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(2 * this.#count);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    for (let at = 0; at < text.length; at++) this.bytes[this.#length++] = text[at]!;
    this.#ends[this.#count++] = this.#length;
  }

  /** Where text `no` begins in `bytes`; an empty range when there is none. */
  from(no: number): number {
    return no > 0 && no < this.#count ? this.#ends[no - 1]! : 0;
  }

  to(no: number): number {
    return no >= 0 && no < this.#count ? this.#ends[no]! : 0;
  }
}

/** Reads the part with the shared texts. @throws {TableRefusal} `too_large_inside`, `broken_file` */
export async function readSharedTexts(
  pieces: AsyncIterable<Uint8Array>,
  yieldToEventLoop: YieldToEventLoop,
): Promise<SharedTexts> {
  const texts = new SharedTexts();
  const item = new TextItem();
  await readXml(pieces, {
    open: ({ name }) => item.open(name),
    text: (scanner) => item.add(scanner),
    close(name) {
      item.close(name);
      if (name !== "si") return;
      texts.add(item.finish());
      item.begin();
    },
  }, yieldToEventLoop);
  return texts;
}

/** Longer than any text that isPlainText() accepts. */
const MAX_PLAIN_BYTES = 1024;
/** A cell has at most 32,767 signs. */
const MAX_ITEM_CHARS = 40_000;

/** A text in runs, `<t>` or `<r><t>`, without the reading aids of Japanese, `<rPh><t>`. */
export class TextItem {
  readonly #raw = new Uint8Array(MAX_PLAIN_BYTES);
  #length = 0;
  #isPlain = true;
  #text = "";
  #isText = false;
  #isAid = false;

  begin(): void {
    this.#length = 0;
    this.#isPlain = true;
    this.#text = "";
  }

  open(name: string): void {
    if (name === "t") this.#isText = !this.#isAid;
    else if (name === "rPh") this.#isAid = true;
  }

  close(name: string): void {
    if (name === "t") this.#isText = false;
    else if (name === "rPh") this.#isAid = false;
  }

  add(scanner: XmlScanner): void {
    if (!this.#isText) return;
    const { bytes, from, to } = scanner;
    if (this.#isPlain && this.#length === 0 && isPlainText(bytes, from, to)) {
      for (let at = from; at < to; at++) this.#raw[this.#length++] = bytes[at]!;
      return;
    }
    // Several runs, or signs to be removed.
    if (this.#isPlain) this.#text = decoder.decode(this.#raw.subarray(0, this.#length));
    this.#isPlain = false;
    if (this.#text.length < MAX_ITEM_CHARS) this.#text += scanner.text();
  }

  /** Returns the text in one line, as plainText() gives it; valid until begin(). */
  finish(): Uint8Array {
    return this.#isPlain ? this.#raw.subarray(0, this.#length) : encoder.encode(plainText(this.#text));
  }
}
