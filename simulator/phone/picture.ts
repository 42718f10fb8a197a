/** Draws a phone's present screen as a PNG: each text is a row of blocks in its view's place. */
import { deflateSync } from "node:zlib";
import { windowsOf } from "./screens.ts";
import type { Bounds, UiNode } from "./ui_node.ts";
import type { VirtualPhone } from "./virtual_phone.ts";

/** A quarter of the screen's sides: drawing 200 phones must cost little. */
const SCALE = 4;
const WIDTH = 1080 / SCALE;
const HEIGHT = 2400 / SCALE;
/** Colours by number, red green blue. */
const PALETTE = [
  [0x00, 0x00, 0x00],
  [0xf2, 0xee, 0xe6],
  [0xff, 0xff, 0xff],
  [0x1d, 0x4a, 0x55],
  [0x33, 0x3a, 0x3d],
  [0x2f, 0x9e, 0x6e],
  [0xdf, 0xf3, 0xd8],
  [0x8a, 0x93, 0x96],
] as const;
const INK = { black: 0, paper: 1, white: 2, deck: 3, text: 4, act: 5, bubble: 6, faint: 7 } as const;
type Ink = typeof INK[keyof typeof INK];
const BLOCK = 3;

/** Returns the picture. A dark screen is black. */
export function pictureOf(phone: VirtualPhone): Uint8Array<ArrayBuffer> {
  const canvas = new Canvas();
  const windows = windowsOf(phone);
  if (windows.length > 0) {
    canvas.fill({ left: 0, top: 0, right: WIDTH * SCALE, bottom: HEIGHT * SCALE }, INK.paper);
    canvas.fill({ left: 0, top: 0, right: WIDTH * SCALE, bottom: 80 }, INK.deck);
    // The mark of this phone: two screens beside each other differ at a glance.
    canvas.blocks({ left: 40, top: 24, right: 1040, bottom: 60 }, phone.serial, INK.white);
  }
  for (const { root } of windows) {
    if (windows.length > 1) canvas.fill(root.bounds, INK.white);
    draw(canvas, root);
  }
  return canvas.png();
}

/** Returns a black picture of the same size. */
export function blackPicture(): Uint8Array<ArrayBuffer> {
  return new Canvas().png();
}

function draw(canvas: Canvas, node: UiNode): void {
  const { id, bounds, text, description, onTap, children } = node;
  if (/\/(toolbar|toolbar_logo)$/.test(id)) canvas.fill(bounds, INK.deck);
  else if (id.endsWith("/conversation_text_row")) canvas.fill(bounds, INK.bubble);
  else if (id.endsWith("/entry") || id.endsWith("/caption")) canvas.fill(bounds, INK.white);
  else if (onTap && children.length === 0) canvas.fill(bounds, INK.act);
  const shown = text || description;
  if (shown !== "") canvas.blocks(bounds, shown, isOnDark(node) ? INK.white : INK.text);
  for (const child of children) draw(canvas, child);
}

function isOnDark({ id, onTap }: UiNode): boolean {
  return onTap !== undefined && !id.endsWith("/entry") || id.endsWith("/conversation_contact_name");
}

/** Pixels as numbers of the palette. */
class Canvas {
  readonly #pixels = new Uint8Array(WIDTH * HEIGHT);

  fill({ left, top, right, bottom }: Bounds, ink: Ink): void {
    const to = Math.min(HEIGHT, Math.ceil(bottom / SCALE));
    for (let y = Math.max(0, Math.floor(top / SCALE)); y < to; y++) {
      const from = y * WIDTH + Math.max(0, Math.floor(left / SCALE));
      this.#pixels.fill(ink, from, y * WIDTH + Math.min(WIDTH, Math.ceil(right / SCALE)));
    }
  }

  /** Draws one block a character, with a gap for each blank, in as many rows as fit. */
  blocks({ left, top, right, bottom }: Bounds, text: string, ink: Ink): void {
    const step = (BLOCK + 1) * SCALE;
    const perRow = Math.max(1, Math.floor((right - left) / step) - 2);
    const rows = Math.max(1, Math.floor((bottom - top) / (step * 2)));
    [...text].slice(0, perRow * rows).forEach((char, index) => {
      if (char.trim() === "") return;
      const x = left + step * (1 + index % perRow);
      const y = top + step * (0.5 + 2 * Math.floor(index / perRow));
      const height = 4 + char.codePointAt(0)! % 3 * 4;
      this.fill({ left: x, top: y, right: x + BLOCK * SCALE, bottom: y + height + 4 }, ink);
    });
  }

  png(): Uint8Array<ArrayBuffer> {
    const rows = new Uint8Array(HEIGHT * (WIDTH + 1));
    for (let y = 0; y < HEIGHT; y++) {
      rows.set(this.#pixels.subarray(y * WIDTH, (y + 1) * WIDTH), y * (WIDTH + 1) + 1);
    }
    const head = new Uint8Array(13);
    const view = new DataView(head.buffer);
    view.setUint32(0, WIDTH);
    view.setUint32(4, HEIGHT);
    // Eight bits for each pixel, which is a number of the palette.
    head.set([8, 3], 8);
    return joined([
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk("IHDR", head),
      chunk("PLTE", new Uint8Array(PALETTE.flat())),
      chunk("IDAT", new Uint8Array(deflateSync(rows, { level: 1 }))),
      chunk("IEND", new Uint8Array(0)),
    ]);
  }
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_OF_BYTE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
