/** Inflates parts of a workbook piece by piece. The bytes are counted as they come, because headers may lie. */
import { crc32, createInflateRaw } from "node:zlib";
import { TableRefusal } from "./table_refusal.ts";
import { packedBytesOf, type ZipEntry } from "./zip_directory.ts";

/** Bytes of all read parts of one workbook: a file of 10 MB from Excel has some 100 MB. */
const MAX_INFLATED_BYTES = 200 * 1024 * 1024;
/** Sheets shrink to a tenth or a fortieth; deflate can reach a thousandth. */
const MAX_RATIO = 250;
/** Below this size the ratio does not matter. */
const SMALL_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** Counts the inflated bytes of one workbook over all its parts. */
export class InflateMeter {
  #bytes = 0;
  readonly #maxBytes: number;

  constructor(fileBytes: number) {
    this.#maxBytes = Math.min(MAX_INFLATED_BYTES, Math.max(SMALL_BYTES, fileBytes * MAX_RATIO));
  }

  /**
   * Refuses a file whose headers say that it is too large, before anything is inflated.
   *
   * @throws {TableRefusal} `too_large_inside`
   */
  expect(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) throw new TableRefusal("too_large_inside");
  }

  /** @throws {TableRefusal} `too_large_inside` */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw new TableRefusal("too_large_inside");
  }
}

/**
 * Yields the inflated bytes of an entry in pieces of at most 64 kB.
 *
 * @throws {TableRefusal} `broken_file` when it is cut or damaged, `encrypted`, `too_large_inside`
 */
export async function* inflateEntry(
  file: Uint8Array,
  entry: ZipEntry,
  meter: InflateMeter,
): AsyncGenerator<Uint8Array> {
  const packed = packedBytesOf(file, entry);
  meter.expect(entry.bytes);
  let crc = 0;
  let bytes = 0;
  for await (const piece of piecesOf(packed, entry.method)) {
    meter.count(piece.length);
    bytes += piece.length;
    if (bytes > entry.bytes) throw new TableRefusal("broken_file");
    crc = crc32(piece, crc);
    yield piece;
  }
  if (bytes !== entry.bytes || crc !== entry.crc) throw new TableRefusal("broken_file");
}

async function* piecesOf(packed: Uint8Array, method: number): AsyncGenerator<Uint8Array> {
  if (method === 0) {
    for (let at = 0; at < packed.length; at += PIECE_BYTES) yield packed.subarray(at, at + PIECE_BYTES);
    return;
  }
  if (method !== 8) throw new TableRefusal("broken_file");
  // The platform's own inflater takes a fifth of the time of one in JavaScript, and stops while nobody reads.
  const inflater = createInflateRaw({ chunkSize: PIECE_BYTES });
  inflater.end(packed);
  try {
    for await (const piece of inflater) yield piece as Uint8Array;
  } catch (error) {
    if (error instanceof TableRefusal) throw error;
    throw new TableRefusal("broken_file", error);
  } finally {
    inflater.destroy();
  }
}
