import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { XmlScanner } from "./xml_scanner.ts";

/** Bytes between two looks at the clock: each may be a cell that names a text of two kilobytes. */
const BYTES_A_LOOK = 16 * 1024;

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
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += BYTES_A_LOOK) {
      scanner.add(piece.subarray(at, at + BYTES_A_LOOK));
      readPiece(scanner, handlers);
      await yieldToEventLoop();
    }
  }
  scanner.end();
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
