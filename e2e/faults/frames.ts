/**
 * Splits one direction of a connection into its HTTP head and the following WebSocket frames (RFC 6455 section
 * 5.2).
 */
const DATA_OPCODES = [1, 2];
const FIN = 0x80;
const RESERVED = 0x70;

export interface Unit {
  bytes: Uint8Array;
  /** A whole message in one frame: only these may be repeated or reordered. */
  isMessage: boolean;
}

export class FrameCutter {
  #rest = new Uint8Array(0);
  #isPastHead = false;

  /** Accepts read bytes and returns every complete unit. */
  take(chunk: Uint8Array): Unit[] {
    const bytes = new Uint8Array(this.#rest.length + chunk.length);
    bytes.set(this.#rest);
    bytes.set(chunk, this.#rest.length);
    const units: Unit[] = [];
    let at = 0;
    for (let end = this.#endOfUnit(bytes, at); end !== null; end = this.#endOfUnit(bytes, at)) {
      const unit = bytes.subarray(at, end);
      units.push({ bytes: unit, isMessage: this.#isPastHead && isMessage(unit) });
      this.#isPastHead = true;
      at = end;
    }
    this.#rest = bytes.slice(at);
    return units;
  }

  #endOfUnit(bytes: Uint8Array, from: number): number | null {
    return this.#isPastHead ? endOfFrame(bytes, from) : endOfHead(bytes);
  }
}

function endOfHead(bytes: Uint8Array): number | null {
  for (let at = 3; at < bytes.length; at++) {
    if (bytes[at] === 10 && bytes[at - 1] === 13 && bytes[at - 2] === 10 && bytes[at - 3] === 13) {
      return at + 1;
    }
  }
  return null;
}

function endOfFrame(bytes: Uint8Array, from: number): number | null {
  if (bytes.length < from + 2) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const short = bytes[from + 1]! & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskBytes = bytes[from + 1]! & 0x80 ? 4 : 0;
  if (bytes.length < from + 2 + lengthBytes) return null;
  const length = short === 126
    ? view.getUint16(from + 2)
    : short === 127
    ? Number(view.getBigUint64(from + 2))
    : short;
  const end = from + 2 + lengthBytes + maskBytes + length;
  return end <= bytes.length ? end : null;
}

/** Compressed frames depend on earlier ones, and fragments on each other. */
function isMessage(frame: Uint8Array): boolean {
  const first = frame[0]!;
  return (first & FIN) !== 0 && (first & RESERVED) === 0 && DATA_OPCODES.includes(first & 0x0f);
}
