type FieldType = "ascii4" | "u8" | "u32" | "u64";
type Value<T extends FieldType> = T extends "ascii4" ? string : T extends "u64" ? bigint : number;
type Fields = Record<string, FieldType>;

/** The decoded value of a declared struct. It is inferred, so that a format is written once. */
export type StructValue<F extends Fields> = { [K in keyof F]: Value<F[K]> };

/** A little-endian record of fixed size: its size in bytes, and how to encode and decode it. */
export interface Struct<F extends Fields> {
  readonly size: number;
  encode(value: StructValue<F>): Uint8Array;
  decode(bytes: Uint8Array): StructValue<F>;
}

const SIZES: Record<FieldType, number> = { ascii4: 4, u8: 1, u32: 4, u64: 8 };

/** Declares a little-endian record by its fields in wire order. `decode` throws RangeError when bytes are missing. */
export function struct<const F extends Fields>(fields: F): Struct<F> {
  const entries = Object.entries(fields);
  const size = entries.reduce((total, [, type]) => total + SIZES[type], 0);
  return {
    size,
    encode(value) {
      const bytes = new Uint8Array(size);
      const view = new DataView(bytes.buffer);
      let at = 0;
      for (const [name, type] of entries) {
        writeField(view, at, type, value[name]!);
        at += SIZES[type];
      }
      return bytes;
    },
    decode(bytes) {
      if (bytes.length < size) throw new RangeError(`Cannot decode ${size} bytes: got ${bytes.length}`);
      const view = new DataView(bytes.buffer, bytes.byteOffset, size);
      const value: Record<string, string | number | bigint> = {};
      let at = 0;
      for (const [name, type] of entries) {
        value[name] = readField(view, at, type);
        at += SIZES[type];
      }
      return value as StructValue<F>;
    },
  };
}

function writeField(view: DataView, at: number, type: FieldType, value: string | number | bigint): void {
  if (type === "u8") view.setUint8(at, Number(value));
  else if (type === "u32") view.setUint32(at, Number(value), true);
  else if (type === "u64") view.setBigUint64(at, BigInt(value), true);
  else for (let i = 0; i < 4; i++) view.setUint8(at + i, String(value).charCodeAt(i));
}

function readField(view: DataView, at: number, type: FieldType): string | number | bigint {
  if (type === "u8") return view.getUint8(at);
  if (type === "u32") return view.getUint32(at, true);
  if (type === "u64") return view.getBigUint64(at, true);
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));
}
