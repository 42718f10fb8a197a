import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { HttpError } from "../http/http_error.ts";
import { checkImage } from "./image.ts";
import { joinBytes } from "./image_bytes.ts";

const FILES = {
  "photo.jpg": { mediaType: "image/jpeg", width: 40, height: 30 },
  "progressive.jpg": { mediaType: "image/jpeg", width: 40, height: 30 },
  "picture.png": { mediaType: "image/png", width: 20, height: 15 },
  "lossy.webp": { mediaType: "image/webp", width: 40, height: 30 },
  "lossless.webp": { mediaType: "image/webp", width: 20, height: 15 },
  "alpha.webp": { mediaType: "image/webp", width: 20, height: 15 },
} as const;
type FileName = keyof typeof FILES;
const NAMES = Object.keys(FILES) as FileName[];

const metadata = fc.uint8Array({ maxLength: 300 });
const text = (value: string) => new TextEncoder().encode(value);

Deno.test("checkImage() knows each kind by its bytes and reads its size", () => {
  for (const name of NAMES) {
    const { mediaType, width, height } = checkImage(read(name), "holiday.exe");
    assert.deepEqual({ mediaType, width, height }, FILES[name], name);
  }
});

Deno.test("checkImage() leaves the same bytes whatever metadata and trailer dressed the picture", () => {
  fc.assert(fc.property(fc.constantFrom(...NAMES), metadata, metadata, (name, hidden, trailer) => {
    const plain = read(name);
    const dressed = joinBytes([dress(name, plain, hidden), trailer]);
    assert.deepEqual(checkImage(dressed, name).bytes, checkImage(plain, name).bytes);
  }));
});

Deno.test("checkImage() gives back what it would accept again, unchanged", () => {
  for (const name of NAMES) {
    const once = checkImage(read(name), name).bytes;
    assert.deepEqual(checkImage(once, name).bytes, once);
  }
});

Deno.test("checkImage() keeps a photo's orientation and nothing else of its EXIF", () => {
  const exif = joinBytes([
    text("Exif\0\0II*\0"),
    Uint8Array.of(8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0),
    text("GPS 32.0853 34.7818"),
  ]);
  const { bytes } = checkImage(insertJpegSegment(read("photo.jpg"), 0xe1, exif), "photo.jpg");
  const latin = Buffer.from(bytes).toString("latin1");
  assert.ok(!latin.includes("GPS"));
  assert.ok(latin.includes("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"));
  assert.deepEqual(checkImage(bytes, "photo.jpg").bytes, bytes);
});

Deno.test("checkImage() keeps a PNG's colour profile, unless it opens to more than any profile is", () => {
  const plain = read("picture.png");
  const withProfile = (length: number) => {
    const profile = joinBytes([text("screen\0\0"), deflateSync(new Uint8Array(length))]);
    const bytes = joinBytes([plain.subarray(0, 33), pngChunk("iCCP", profile), plain.subarray(33)]);
    return Buffer.from(checkImage(bytes, "picture.png").bytes).includes("iCCP");
  };
  assert.deepEqual([3_000, 5_000_000].map(withProfile), [true, false]);
});

Deno.test("checkImage() refuses a picture cut anywhere", () => {
  for (const name of NAMES) {
    const whole = checkImage(read(name), name).bytes;
    for (let length = 0; length < whole.length; length += 7) {
      assert.throws(() => checkImage(whole.subarray(0, length), name), isRefusal, `${name} at ${length}`);
    }
    assert.throws(() => checkImage(whole.subarray(0, whole.length - 1), name), isRefusal, name);
  }
});

Deno.test("checkImage() says of a picture of the right type and size that it is broken", () => {
  const cut = read("photo.jpg").subarray(0, 600);
  assert.throws(() => checkImage(cut, "a.jpg"), (error) => {
    assert.ok(isRefusal(error));
    assert.match(error.body.error, /^התמונה שנבחרה \(JPG, 1KB\) פגומה/);
    return true;
  });
});

Deno.test("checkImage() refuses other files dressed as pictures, in words", () => {
  const cases: [string, string, string][] = [
    ["<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "a.png", "SVG, 1KB"],
    ["\ufeff <!DOCTYPE html><script>alert(1)</script>", "a.jpg", "HTML, 1KB"],
    ["GIF89a\u0001\0\u0001\0", "a.webp", "GIF, 1KB"],
    ["%PDF-1.7", "a.jpg", "PDF, 1KB"],
    ["MZ", "setup.exe", "EXE, 1KB"],
    ["", "x", "לא מזוהה, 0KB"],
  ];
  for (const [content, name, told] of cases) {
    assert.throws(() => checkImage(text(content), name), (error) => {
      assert.ok(isRefusal(error));
      assert.equal(
        error.body.error,
        `אפשר לצרף תמונת JPG, PNG או WebP עד 5MB. הקובץ שנבחר: ${told}.`,
      );
      return true;
    });
  }
});

Deno.test("checkImage() never throws anything but a refusal on hostile bytes", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NAMES),
      fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 20 }),
      (name, edits) => {
        const bytes = read(name);
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        try {
          checkImage(bytes, name);
        } catch (error) {
          assert.ok(isRefusal(error), String(error));
        }
      },
    ),
    { numRuns: 2000 },
  );
});

Deno.test("checkImage() refuses more than 25 megapixels and more than 5 MB", () => {
  const wide = read("picture.png");
  const view = new DataView(wide.buffer);
  view.setUint32(16, 5001);
  view.setUint32(20, 5000);
  view.setUint32(29, crc32(wide.subarray(12, 29)));
  assert.throws(() => checkImage(wide, "picture.png"), (error) => {
    assert.ok(isRefusal(error));
    assert.equal(error.body.error, "התמונה גדולה מדי: 5001×5000 פיקסלים. אפשר לצרף תמונה עד 25 מגה-פיקסל.");
    return true;
  });
  const large = joinBytes([read("photo.jpg"), new Uint8Array(5 * 1024 * 1024)]);
  assert.throws(() => checkImage(large, "photo.jpg"), (error) => {
    assert.ok(error instanceof HttpError);
    assert.equal(error.code, "body_too_large");
    assert.match(error.body.error, /JPG, 5\.1MB\.$/);
    return true;
  });
});

function isRefusal(error: unknown): error is HttpError {
  return error instanceof HttpError && error.code === "unsupported_media";
}

function read(name: FileName): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(`testdata/${name}`, import.meta.url));
}

/** The picture with `hidden` in each place its format has for metadata. */
function dress(name: FileName, plain: Uint8Array, hidden: Uint8Array): Uint8Array {
  if (name.endsWith(".jpg")) {
    const places: [number, string][] = [
      [0xe1, "http://ns.adobe.com/xap/1.0/\0"],
      [0xe1, "Exif\0\0"],
      [0xe0, "JFXX\0"],
      [0xe2, "MPF\0"],
      [0xed, "Photoshop 3.0\0"],
      [0xfe, ""],
    ];
    return places.reduce(
      (bytes, [code, label]) => insertJpegSegment(bytes, code, joinBytes([text(label), hidden])),
      plain,
    );
  }
  if (name.endsWith(".png")) {
    const chunks = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "prVt"].map((kind) => pngChunk(kind, hidden));
    return joinBytes([plain.subarray(0, 33), ...chunks, plain.subarray(33)]);
  }
  const body = joinBytes([
    plain.subarray(12),
    ...["EXIF", "XMP ", "JUNK"].map((kind) => riffChunk(kind, hidden)),
  ]);
  const header = plain.slice(0, 12);
  new DataView(header.buffer).setUint32(4, body.length + 4, true);
  return joinBytes([header, body]);
}

function insertJpegSegment(plain: Uint8Array, code: number, body: Uint8Array): Uint8Array {
  const length = body.length + 2;
  const header = Uint8Array.of(0xff, code, length >> 8, length & 0xff);
  return joinBytes([plain.subarray(0, 2), header, body, plain.subarray(2)]);
}

function pngChunk(kind: string, body: Uint8Array): Uint8Array {
  const chunk = joinBytes([new Uint8Array(4), text(kind), body, new Uint8Array(4)]);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length);
  view.setUint32(chunk.length - 4, crc32(chunk.subarray(4, chunk.length - 4)));
  return chunk;
}

function riffChunk(kind: string, body: Uint8Array): Uint8Array {
  const header = new Uint8Array(8);
  header.set(text(kind));
  new DataView(header.buffer).setUint32(4, body.length, true);
  return joinBytes([header, body, new Uint8Array(body.length & 1)]);
}
