/** Reads the directory of a zip archive (APPNOTE 6.3.10): names, places and checksums. */
import { TableRefusal } from "./table_refusal.ts";

export interface ZipEntry {
  name: string;
  /** 0 = stored, 8 = deflated. */
  method: number;
  isEncrypted: boolean;
  crc: number;
  /** Bytes in the archive. */
  packedBytes: number;
  /** Bytes after inflating, as the directory declares them. */
  bytes: number;
  /** The place of its local header. */
  headerAt: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_PLACE = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
/** Workbooks have some dozens. */
const MAX_ENTRIES = 4_096;
/** In a 32-bit field: the value stands in the zip64 extra field. */
const IN_EXTRA = 0xffffffff;
const ZIP64_EXTRA = 1;

const decoder = new TextDecoder();

/** Returns the entries by name. @throws {TableRefusal} `broken_file` */
export function readZipDirectory(file: Uint8Array): Map<string, ZipEntry> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  try {
    return readEntries(file, view, findDirectory(view));
  } catch (error) {
    // A place outside the file.
    if (error instanceof RangeError) throw new TableRefusal("broken_file", error);
    throw error;
  }
}

/** Returns the packed bytes of an entry. @throws {TableRefusal} `broken_file`, `encrypted` */
export function packedBytesOf(file: Uint8Array, entry: ZipEntry): Uint8Array {
  if (entry.isEncrypted) throw new TableRefusal("encrypted");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const { headerAt } = entry;
  if (headerAt + 30 > file.length || view.getUint32(headerAt, true) !== LOCAL) {
    throw new TableRefusal("broken_file");
  }
  const from = headerAt + 30 + view.getUint16(headerAt + 26, true) + view.getUint16(headerAt + 28, true);
  if (from + entry.packedBytes > file.length) throw new TableRefusal("broken_file");
  return file.subarray(from, from + entry.packedBytes);
}

interface Directory {
  at: number;
  count: number;
}

function findDirectory(view: DataView): Directory {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--) {
    if (view.getUint32(at, true) !== END) continue;
    const count = view.getUint16(at + 10, true);
    const first = view.getUint32(at + 16, true);
    return count === 0xffff || first === IN_EXTRA ? findDirectory64(view, at) : { at: first, count };
  }
  throw new TableRefusal("broken_file");
}

function findDirectory64(view: DataView, endAt: number): Directory {
  const placeAt = endAt - 20;
  if (view.getUint32(placeAt, true) !== END_64_PLACE) throw new TableRefusal("broken_file");
  const at = Number(view.getBigUint64(placeAt + 8, true));
  if (view.getUint32(at, true) !== END_64) throw new TableRefusal("broken_file");
  return { count: Number(view.getBigUint64(at + 32, true)), at: Number(view.getBigUint64(at + 48, true)) };
}

function readEntries(
  file: Uint8Array,
  view: DataView,
  { at: first, count }: Directory,
): Map<string, ZipEntry> {
  if (count > MAX_ENTRIES) throw new TableRefusal("broken_file");
  const entries = new Map<string, ZipEntry>();
  let at = first;
  for (let i = 0; i < count; i++) {
    if (view.getUint32(at, true) !== ENTRY) throw new TableRefusal("broken_file");
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const nameAt = at + 46;
    const extraAt = nameAt + nameBytes;
    if (extraAt + extraBytes > file.length) throw new TableRefusal("broken_file");
    const [bytes, packedBytes, headerAt] = widen(view, extraAt, extraBytes, [
      view.getUint32(at + 24, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ]);
    // Some programs write the separators of Windows.
    const name = decoder.decode(file.subarray(nameAt, extraAt)).replaceAll("\\", "/");
    entries.set(name, {
      name,
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      crc: view.getUint32(at + 16, true),
      packedBytes: packedBytes!,
      bytes: bytes!,
      headerAt: headerAt!,
    });
    at = extraAt + extraBytes + view.getUint16(at + 32, true);
  }
  return entries;
}

/** Replaces values that stand in the zip64 extra field, where they follow one another. */
function widen(view: DataView, extraAt: number, extraBytes: number, values: number[]): number[] {
  if (!values.includes(IN_EXTRA)) return values;
  for (let at = extraAt; at + 4 <= extraAt + extraBytes; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== ZIP64_EXTRA) continue;
    let next = at + 4;
    return values.map((value) => {
      if (value !== IN_EXTRA) return value;
      next += 8;
      return Number(view.getBigUint64(next - 8, true));
    });
  }
  throw new TableRefusal("broken_file");
}
