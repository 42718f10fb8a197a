/**
 * What an erasure reads in a stored file. An import takes a cell as a number when its digits are one, whatever their
 * script, with any separator between them. The search goes by the same cells, signs and separators, so that no writing
 * that an import accepts stays hidden.
 */
import { fold } from "../numbers/folded.ts";
import {
  isSeparator,
  LEAST_VALID_DIGITS,
  type LibraryBudget,
  MAX_DIGITS,
  parsePhone,
  readNumber,
} from "../numbers/parse_phone.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { CsvRows, detectCsvShape, MAX_COLUMNS } from "../tables/csv_rows.ts";
import { decodeText } from "../tables/decode_text.ts";

/** A file as it is stored: as it was uploaded, as CSV in UTF-8, or the JSON of rejected rows. */
export interface StoredText {
  kind: "raw" | "staged" | "rejected";
  bytes: Uint8Array;
}

/** Characters of one piece, about: reading its numbers holds the event loop for some milliseconds. */
const PIECE_CHARS = 4 * 1024;
/** Bytes of one cell that are folded at once. */
const FOLDED_BYTES = 4 * 1024;
/** Bytes read between two checks of the clock. */
const BYTES_A_LOOK = 64 * 1024;
/** Calls to the library for one file and number; a file that needs more counts as one with the number. */
const LIBRARY_CALLS = 50_000;
/** Every writing of a number ends with these digits. */
const TAIL_DIGITS = 4;
/** A text with so many last digits of a number holds it, with any digits before and after them. */
const SHARED_DIGITS = 8;

const NEW_LINE = 0x0a;
const ZERO = 0x30;
const NINE = 0x39;

/** A run of digits; and, starting anywhere in it, an Israeli number with its zero or its country code. */
const RUN = new RegExp(`\\d{${LEAST_VALID_DIGITS},}`, "g");
const WITHIN_RUN = /(?=((?:972|0)\d{8,9}))/g;

/** Returns whether the file may hold the number, in any writing that an import accepts. */
export async function mayHold(
  file: StoredText,
  phone: number,
  yieldToEventLoop: YieldToEventLoop,
): Promise<boolean> {
  const budget = { callsLeft: LIBRARY_CALLS };
  for await (const runs of digitRuns(file, yieldToEventLoop)) {
    if (isAmong(phone, runs, budget)) return true;
  }
  return false;
}

/**
 * Yields a file's digits as ASCII, in pieces that each end a line: a line holds the digits of a cell that only
 * separators part. A line that is too long for a piece goes on in the next one, which repeats its last digits.
 */
export async function* digitRuns(
  file: StoredText,
  yieldToEventLoop: YieldToEventLoop,
): AsyncGenerator<string> {
  if (file.kind === "rejected") return yield* runsOfRejected(file.bytes, yieldToEventLoop);
  yield* runsOfTable(await textOf(file, yieldToEventLoop), yieldToEventLoop);
}

/** What was staged is UTF-8 already, and is read as it is. */
async function textOf({ kind, bytes }: StoredText, yieldToEventLoop: YieldToEventLoop): Promise<Uint8Array> {
  if (kind === "staged") return bytes;
  const decoded = await decodeText(bytes, yieldToEventLoop);
  // No import reads it. Its digits may still be those of a number.
  return decoded?.text ?? bytes.filter((byte) => byte !== 0);
}

async function* runsOfTable(text: Uint8Array, yieldToEventLoop: YieldToEventLoop): AsyncGenerator<string> {
  const rows = new CsvRows(text, detectCsvShape(text));
  const runs = new RunWriter();
  let lookedAt = 0;
  // Where the columns begin that are too many to be kept apart; -1 = nowhere in the row before.
  let rest = -1;
  for (;;) {
    const isMore = rows.next(BYTES_A_LOOK);
    if (isMore && !rows.isWhole) {
      await yieldToEventLoop();
      continue;
    }
    const count = isMore ? Math.min(rows.fieldCount, MAX_COLUMNS) : 0;
    for (let field = rest < 0 ? 0 : -1; field < count; field++) {
      const to = field >= 0 ? rows.end(field) : isMore ? rows.rowStart : text.length;
      for (let at = field >= 0 ? rows.start(field) : rest; at < to;) {
        at = runs.add(text, at, to);
        if (runs.isFull) yield runs.take();
        if (at - lookedAt < BYTES_A_LOOK) continue;
        lookedAt = at;
        await yieldToEventLoop();
      }
      runs.endLine();
    }
    if (!isMore) break;
    rest = rows.fieldCount > count ? rows.end(count - 1) : -1;
  }
  yield runs.take();
}

async function* runsOfRejected(json: Uint8Array, yieldToEventLoop: YieldToEventLoop): AsyncGenerator<string> {
  const rejected: { text: string }[] = JSON.parse(new TextDecoder().decode(json));
  const runs = new RunWriter();
  for (const { text } of rejected) {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) {
      at = runs.add(bytes, at, bytes.length);
      if (!runs.isFull) continue;
      yield runs.take();
      await yieldToEventLoop();
    }
    runs.endLine();
  }
  yield runs.take();
}

/** Writes the digits of cells, a line for each run. */
class RunWriter {
  readonly #signs = new Uint8Array(FOLDED_BYTES);
  readonly #runs = new Uint8Array(PIECE_CHARS + FOLDED_BYTES + MAX_DIGITS + 1);
  readonly #decoder = new TextDecoder("latin1");
  #length = 0;

  get isFull(): boolean {
    return this.#length >= PIECE_CHARS;
  }

  /** Adds some of the UTF-8 text `bytes[from..to)` and returns the place after it. A full piece is taken first. */
  add(bytes: Uint8Array, from: number, to: number): number {
    let end = Math.min(to, from + FOLDED_BYTES);
    if (end < to) { while (end > from + 1 && (bytes[end]! & 0xc0) === 0x80) end--; }
    const length = fold(bytes, from, end, this.#signs);
    for (let i = 0; i < length; i++) {
      const sign = this.#signs[i]!;
      if (sign >= ZERO && sign <= NINE) this.#runs[this.#length++] = sign;
      else if (!isSeparator(sign)) this.endLine();
    }
    return end;
  }

  endLine(): void {
    if (this.#length > 0 && this.#runs[this.#length - 1] !== NEW_LINE) this.#runs[this.#length++] = NEW_LINE;
  }

  /** Returns what was written; an unfinished line goes on with its last digits. */
  take(): string {
    const piece = this.#decoder.decode(this.#runs.subarray(0, this.#length));
    const begun = this.#runs.lastIndexOf(NEW_LINE, this.#length - 1) + 1;
    const from = Math.max(this.#length > 0 ? begun : 0, this.#length - MAX_DIGITS);
    this.#runs.copyWithin(0, from, this.#length);
    this.#length -= from;
    return piece;
  }
}

function isAmong(phone: number, runs: string, budget: LibraryBudget): boolean {
  const digits = String(phone);
  if (runs.includes(digits.slice(-SHARED_DIGITS))) return true;
  const end = `${digits.slice(-TAIL_DIGITS)}\n`;
  for (let at = runs.indexOf(end); at !== -1; at = runs.indexOf(end, at + 1)) {
    const to = at + TAIL_DIGITS;
    const line = runs.slice(runs.lastIndexOf("\n", at) + 1, to);
    if (line.length <= MAX_DIGITS && isWritten(phone, line, budget)) return true;
  }
  return false;
}

/** Returns whether an import reads these digits of a whole cell as the number, with a plus before them or without. */
function isWritten(phone: number, line: string, budget: LibraryBudget): boolean {
  const digits = Uint8Array.from(line, Number);
  const read = (isInternational: boolean) => readNumber(digits, 0, digits.length, isInternational, budget);
  return read(false) === phone || read(true) === phone || budget.callsLeft <= 0;
}

/** Yields every number that digits or a text may contain, each once per run of digits. */
export function* numbersIn(text: string): Generator<number> {
  for (const [run] of text.matchAll(RUN)) {
    const written = new Set<string>();
    if (run.length <= MAX_DIGITS) written.add(run).add(`+${run}`);
    for (const [, within] of run.matchAll(WITHIN_RUN)) {
      // Try both lengths of an Israeli number: its end within the run is unknown.
      for (const one of [within!, within!.slice(0, -1)]) written.add(one.startsWith("0") ? one : `+${one}`);
    }
    for (const one of written) {
      const { phone } = parsePhone(one);
      if (phone !== undefined) yield phone;
    }
  }
}
