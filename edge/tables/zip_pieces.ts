/** Writes a zip archive piece by piece; sizes follow their data, so that nothing is kept but the directory. */
import { crc32, createDeflateRaw } from "node:zlib";

export interface ZipPart {
  name: string;
  content: string | AsyncIterable<Uint8Array>;
}

interface WrittenPart {
  name: Uint8Array;
  crc: number;
  packedBytes: number;
  bytes: number;
  headerAt: number;
}

const encoder = new TextEncoder();
/** Version 2.0; sizes after the data, and names in UTF-8. */
const VERSION = 20;
const FLAGS = 0x0808;
const DEFLATED = 8;
/** 1.1.1980: an archive of the same parts has the same bytes. */
const DATE = 0x0021;

/** Yields an archive of less than 4 GB. */
export async function* zipPieces(parts: Iterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const written: WrittenPart[] = [];
  let at = 0;
  for (const { name, content } of parts) {
    const part: WrittenPart = { name: encoder.encode(name), crc: 0, packedBytes: 0, bytes: 0, headerAt: at };
    const head = header(0x04034b50, part, [VERSION]);
    yield head;
    at += head.length;
    for await (const piece of deflate(content, part)) {
      yield piece;
      at += piece.length;
      part.packedBytes += piece.length;
    }
    const behind = fields([4, 0x08074b50], [4, part.crc], [4, part.packedBytes], [4, part.bytes]);
    yield behind;
    at += behind.length;
    written.push(part);
  }
  const directoryAt = at;
  for (const part of written) {
    const entry = header(0x02014b50, part, [VERSION, VERSION]);
    yield entry;
    at += entry.length;
  }
  const count = written.length;
  yield fields([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, at - directoryAt], [4, directoryAt], [
    2,
    0,
  ]);
}

async function* deflate(content: ZipPart["content"], part: WrittenPart): AsyncGenerator<Uint8Array> {
  const deflater = createDeflateRaw({ level: 6 });
  const pieces = typeof content === "string" ? [encoder.encode(content)] : content;
  const feeding = (async () => {
    for await (const piece of pieces) {
      part.crc = crc32(piece, part.crc);
      part.bytes += piece.length;
      if (!deflater.write(piece)) await new Promise<void>((resolve) => deflater.once("drain", resolve));
    }
    deflater.end();
  })().catch((error) => deflater.destroy(error));
  try {
    for await (const piece of deflater) yield piece as Uint8Array;
    await feeding;
  } finally {
    deflater.destroy();
  }
}

/** The header before the data, or the longer one of the directory. */
function header(
  signature: number,
  { name, crc, packedBytes, bytes, headerAt }: WrittenPart,
  versions: number[],
) {
  const isOfDirectory = versions.length === 2;
  const known = isOfDirectory ? [crc, packedBytes, bytes] : [0, 0, 0];
  const rest: Field[] = isOfDirectory ? [[2, 0], [2, 0], [2, 0], [4, 0], [4, headerAt]] : [];
  const fixed = fields(
    [4, signature],
    ...versions.map((version): Field => [2, version]),
    [2, FLAGS],
    [2, DEFLATED],
    [2, 0],
    [2, DATE],
    ...known.map((value): Field => [4, value]),
    [2, name.length],
    [2, 0],
    ...rest,
  );
  const whole = new Uint8Array(fixed.length + name.length);
  whole.set(fixed);
  whole.set(name, fixed.length);
  return whole;
}

/** Bytes, and the value. */
type Field = [2 | 4, number];

function fields(...values: Field[]): Uint8Array {
  const bytes = new Uint8Array(values.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of values) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}
