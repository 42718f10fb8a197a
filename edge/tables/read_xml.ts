import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { XmlScanner } from "./xml_scanner.ts";

/** Bytes between two looks at the clock: each may be a cell that names a text of two kilobytes. */
const BYTES_A_LOOK = 16 * 1024;

const encoder = new TextEncoder();

export interface XmlHandlers {
  /** An element began; the scanner has its name and its attributes. */
  open(scanner: XmlScanner): void;
  /** A text may come in several parts. */
  text(scanner: XmlScanner): void;
  close(name: string): void;
}

/** Reads a document to its end. @throws {TableRefusal} `broken_file`, and what the handlers throw */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  yieldToEventLoop: YieldToEventLoop,
): Promise<void> {
  const scanner = new XmlScanner();
  for await (const piece of inUtf8(pieces)) {
    for (let at = 0; at < piece.length; at += BYTES_A_LOOK) {
      scanner.add(piece.subarray(at, at + BYTES_A_LOOK));
      readPiece(scanner, handlers);
      await yieldToEventLoop();
    }
  }
  scanner.end();
}

/**
 * Yields the pieces in UTF-8. A part may be in UTF-16 (ECMA-376-2, 6.1.2), which its first two bytes show: a byte
 * order mark, or "<".
 */
async function* inUtf8(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | null | undefined;
  let single: Uint8Array | undefined;
  for await (let piece of pieces) {
    if (decoder === undefined) {
      if (single !== undefined) piece = new Uint8Array([...single, ...piece]);
      if (piece.length < 2) {
        single = piece;
        continue;
      }
      const label = utf16Label(piece[0]!, piece[1]!);
      decoder = label === null ? null : new TextDecoder(label);
    }
    yield decoder === null ? piece : encoder.encode(decoder.decode(piece, { stream: true }));
  }
  const rest = decoder ? decoder.decode() : "";
  if (rest !== "") yield encoder.encode(rest);
}

function utf16Label(first: number, second: number): "utf-16le" | "utf-16be" | null {
  const pair = first * 256 + second;
  if (pair === 0xfffe || pair === 0x3c00) return "utf-16le";
  return pair === 0xfeff || pair === 0x003c ? "utf-16be" : null;
}

function readPiece(scanner: XmlScanner, handlers: XmlHandlers): void {
  for (;;) {
    switch (scanner.next()) {
      case "open":
        handlers.open(scanner);
        break;
      case "text":
        handlers.text(scanner);
        break;
      case "close":
        handlers.close(scanner.name);
        break;
      case "more":
        return;
    }
  }
}
