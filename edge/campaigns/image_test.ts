import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import fc from "shared/testing/fast_check.ts";
import { isWithinCpu } from "shared/testing/cpu_bound.ts";
import { threadCpuMs } from "shared/testing/thread_cpu.ts";
import { HttpError } from "../http/http_error.ts";
import { checkImage, tryPixels } from "./image.ts";
import { joinBytes } from "./image_bytes.ts";
import { cleanJpeg } from "./image_jpeg.ts";

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

Deno.test("checkImage() recognises each kind by its bytes and reads its size", () => {
  for (const name of NAMES) {
    const { mediaType, width, height } = checkImage(read(name), "holiday.exe");
    assert.deepEqual({ mediaType, width, height }, FILES[name], name);
  }
});

Deno.test("checkImage() returns the same bytes for a picture with any metadata and trailer", () => {
  fc.assert(fc.property(fc.constantFrom(...NAMES), metadata, metadata, (name, hidden, trailer) => {
    const plain = read(name);
    const dressed = joinBytes([dress(name, plain, hidden), trailer]);
    assert.deepEqual(checkImage(dressed, name).bytes, checkImage(plain, name).bytes);
  }));
});

Deno.test("checkImage() returns bytes that it accepts again, unchanged", () => {
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

/** Returns the picture of FILES with these chunks after its header. */
function withChunks(...chunks: Uint8Array[]): Uint8Array {
  const plain = read("picture.png");
  return joinBytes([plain.subarray(0, 33), ...chunks, plain.subarray(33)]);
}

function profile(name: string, length: number): Uint8Array {
  return pngChunk("iCCP", joinBytes([text(`${name}\0\0`), deflateSync(new Uint8Array(length))]));
}

Deno.test("tryPixels() keeps a PNG's colour profile unless it is larger than any real profile", async () => {
  const plain = checkImage(read("picture.png"), "picture.png");
  const small = checkImage(withChunks(profile("screen", 3_000)), "picture.png");
  assert.deepEqual(await tryPixels(small, "picture.png"), small);
  assert.ok(Buffer.from(small.bytes).includes("iCCP"));
  const large = checkImage(withChunks(profile("screen", 5_000_000)), "picture.png");
  assert.deepEqual(await tryPixels(large, "picture.png"), plain);
});

Deno.test("checkImage() keeps the first of a PNG's colour profiles, and inflates none of three hundred", () => {
  const first = checkImage(withChunks(profile("first", 3_000)), "picture.png");
  const large = profile("more", 4_000_000);
  const bytes = withChunks(profile("first", 3_000), ...Array<Uint8Array>(300).fill(large));
  const before = threadCpuMs();
  const kept = checkImage(bytes, "picture.png");
  // Inflating them took seconds; scanning them takes milliseconds.
  const took = threadCpuMs() - before;
  assert.ok(isWithinCpu(took, 500), `${took} ms of processor`);
  assert.ok(Buffer.from(first.bytes).equals(kept.bytes));
});

Deno.test("cleanJpeg() reads a scan of only stuffed zeros in linear time", () => {
  const head = [
    0xff,
    0xd8,
    0xff,
    0xc0,
    0,
    11,
    8,
    0,
    16,
    0,
    16,
    1,
    1,
    0x11,
    0,
    0xff,
    0xda,
    0,
    8,
    1,
    1,
    0,
    0,
    63,
    0,
  ];
  // Twelve times the upload limit, so that the time bound can be generous.
  const bytes = new Uint8Array(60 * 1024 * 1024);
  for (let at = head.length; at < bytes.length; at += 2) bytes[at] = 0xff;
  bytes.set(head);
  bytes.set([0xff, 0xd9], bytes.length - 3);
  const before = threadCpuMs();
  assert.equal(cleanJpeg(bytes).bytes.length, bytes.length - 1);
  const took = threadCpuMs() - before;
  assert.ok(isWithinCpu(took, 350), `${took} ms of processor`);
});

Deno.test("checkImage() refuses a picture cut off at any byte", () => {
  for (const name of NAMES) {
    const whole = checkImage(read(name), name).bytes;
    for (let length = 0; length < whole.length; length += 7) {
      assert.throws(() => checkImage(whole.subarray(0, length), name), isRefusal, `${name} at ${length}`);
    }
    assert.throws(() => checkImage(whole.subarray(0, whole.length - 1), name), isRefusal, name);
  }
});

Deno.test("checkImage() reports a broken picture of the right type and size as broken", () => {
  const cut = read("photo.jpg").subarray(0, 600);
  assert.throws(() => checkImage(cut, "a.jpg"), (error) => {
    assert.ok(isRefusal(error));
    assert.match(error.body.error, /^התמונה שנבחרה \(JPG, 1KB\) פגומה/);
    return true;
  });
});

Deno.test("checkImage() refuses other files disguised as pictures, with a sentence", () => {
  const cases: [string, string, string][] = [
    ["<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "a.png", "SVG, 1KB"],
    ["\ufeff <!DOCTYPE html><script>alert(1)</script>", "a.jpg", "HTML, 1KB"],
    ["GIF89a\u0001\0\u0001\0", "a.webp", "GIF, 1KB"],
    ["%PDF-1.7", "a.jpg", "PDF, 1KB"],
    ["MZ", "setup.exe", "EXE, 1KB"],
    ["", "x", "לא מזוהה, 0KB"],
  ];
  for (const [content, name, reason] of cases) {
    assert.throws(() => checkImage(text(content), name), (error) => {
      assert.ok(isRefusal(error));
      assert.equal(
        error.body.error,
        `אפשר לצרף תמונת JPG, PNG או WebP עד 5MB. הקובץ שנבחר: ${reason}.`,
      );
      return true;
    });
  }
});

Deno.test("checkImage() throws only refusals for hostile bytes", () => {
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

/** Returns the picture with `hidden` in each place where its format allows metadata. */
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
