import fc from "shared/testing/fast_check.ts";
import assert from "node:assert/strict";
import { decodeText } from "./decode_text.ts";

const TEXT = "שם,טלפון\r\nדני,050-1234567\r\n";
const encoder = new TextEncoder();

async function decoded(bytes: Uint8Array): Promise<string | null> {
  const found = await decodeText(bytes, () => {});
  return found && new TextDecoder("utf-8", { ignoreBOM: true }).decode(found.text);
}

/** Encodes Hebrew letters: they begin at 0xE0 in Windows-1255, and at U+05D0 in Unicode. */
function windows1255(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => {
    const code = char.charCodeAt(0);
    return code >= 0x5d0 ? code - 0x5d0 + 0xe0 : code;
  });
}

function utf16(text: string, isBigEndian: boolean): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) bytes.setUint16(i * 2, text.charCodeAt(i), !isBigEndian);
  return new Uint8Array(bytes.buffer);
}

Deno.test("decodeText() reads every encoding a spreadsheet writes Hebrew in", async () => {
  const written = {
    "UTF-8": encoder.encode(TEXT),
    "UTF-8 with a mark": encoder.encode(`\ufeff${TEXT}`),
    "UTF-16 LE": utf16(TEXT, false),
    "UTF-16 LE with a mark": utf16(`\ufeff${TEXT}`, false),
    "UTF-16 BE": utf16(TEXT, true),
    "UTF-16 BE with a mark": utf16(`\ufeff${TEXT}`, true),
    "Windows-1255": windows1255(TEXT),
  };
  for (const [name, bytes] of Object.entries(written)) assert.equal(await decoded(bytes), TEXT, name);
});

Deno.test("decodeText() does not cut a letter at the border of two slices", async () => {
  for (const length of [256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1]) {
    const text = "x".repeat(length) + TEXT;
    assert.equal(await decoded(encoder.encode(text)), text);
    assert.equal(await decoded(utf16(text.slice(length / 2), true)), text.slice(length / 2));
  }
});

Deno.test("decodeText() keeps any text of phones and names in UTF-16 and UTF-8", async () => {
  const line = fc.tuple(fc.stringMatching(/^[א-ת ]{0,20}$/), fc.stringMatching(/^05\d{8}$/)).map((
    [name, phone],
  ) => `${name},${phone}\r\n`);
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1 }), fc.boolean(), async (lines, isBigEndian) => {
      const text = lines.join("");
      assert.equal(await decoded(utf16(text, isBigEndian)), text);
      assert.equal(await decoded(encoder.encode(text)), text);
    }),
  );
});

Deno.test("decodeText() reads UTF-8 with a few broken letters as UTF-8 and says so, and never takes Windows-1255 for it", async () => {
  const word = fc.stringMatching(/^[א-ת]{2,12}$/);
  const table = fc.array(fc.tuple(word, fc.stringMatching(/^05\d{8}$/)), { minLength: 10, maxLength: 40 })
    .map(
      (rows) => rows.map(([name, phone]) => `${name},${phone}\r\n`).join(""),
    );
  const encodingOf = async (bytes: Uint8Array) => (await decodeText(bytes, () => {}))?.encoding;
  await fc.assert(
    fc.asyncProperty(table, fc.nat(), fc.boolean(), async (text, at, isMarked) => {
      const bytes = encoder.encode(text);
      const place = at % bytes.length;
      const wrong = Uint8Array.of(...bytes.subarray(0, place), 0xff, ...bytes.subarray(place));
      const marked = isMarked ? Uint8Array.of(0xef, 0xbb, 0xbf, ...wrong) : wrong;
      assert.equal(await encodingOf(marked), "damaged_utf_8");
      const read = (await decoded(marked))!;
      assert.ok(read.includes("\ufffd") && !read.startsWith("\ufeff"));
      // The phones beside the broken letter are whole.
      assert.equal(read.replace(/[^0-9,]/g, ""), text.replace(/[^0-9,]/g, ""));
      assert.equal(await encodingOf(windows1255(text)), "windows_1255");
    }),
  );
  const cut = encoder.encode("שם פרטי,עיר\n0541234567,חיפה");
  assert.equal(await decoded(cut.subarray(0, -1)), "שם פרטי,עיר\n0541234567,חיפ\ufffd");
  assert.equal(await decoded(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xe0)), "a\ufffd");
});

Deno.test("decodeText() refuses bytes that are not text", async () => {
  const others = {
    xlsx: [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x06, 0x00],
    xls: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
    pdf: [...encoder.encode("%PDF-1.7\n")],
    gzip: [0x1f, 0x8b, 0x08, 0x00],
    "web page": [...encoder.encode("\ufeff\r\n<html><table><tr><td>0501234567</td></tr></table>")],
    "text with a zero byte": [...encoder.encode("0501234567\n0501234568\n"), 0, ...encoder.encode("050")],
  };
  for (const [name, bytes] of Object.entries(others)) {
    assert.equal(await decoded(Uint8Array.from(bytes)), null, name);
  }
});
