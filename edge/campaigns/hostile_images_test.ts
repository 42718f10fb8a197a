/** Hostile images, uploaded through the real route. The tests also check the bytes served for accepted images. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import { CONTENT_SECURITY_POLICY } from "../http/security_headers.ts";
import { openTestApp, type TestPerson } from "../testing/test_app.ts";
import { asciiAt, joinBytes } from "./image_bytes.ts";

const text = (value: string) => new TextEncoder().encode(value);
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const SCRIPT = "<script>alert(1)</script>";
/** 32.0853 N, 34.7818 E in an EXIF GPS block: degrees, minutes and seconds as fractions. */
const GPS = Uint8Array.of(0, 0, 0, 32, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 1);

const REFUSED: Record<string, Uint8Array> = {
  "an SVG": text(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`),
  "an SVG behind an XML head": text(
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg/>`,
  ),
  "a page": text(`<!doctype html>${SCRIPT}`),
  "a GIF that is JavaScript": text("GIF89a/*\x01\0\x01\0*/=1;alert(1)//"),
  "an animated GIF": text("GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0;"),
  "a ZIP": text("PK\x03\x04\x14\0\0\0"),
  "a PDF": text("%PDF-1.7\n%\xff\xd8\xff"),
  "a program": text("MZ\x90\0"),
  "a JPEG's first bytes before a page": joinBytes([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), text(SCRIPT)]),
  "a PNG's first bytes before a page": joinBytes([SIGNATURE, text(SCRIPT)]),
  "a PNG that claims 25,000 × 25,000": png(25_000, 25_000),
  "a PNG that claims the most a header can": png(0xffffffff, 0xffffffff),
  "a PNG without a pixel": png(0, 100),
  "an animated WebP": riff([
    chunk("VP8X", [0x02, 0, 0, 0, 19, 0, 0, 14, 0, 0]),
    chunk("ANIM", Array(6).fill(0)),
  ]),
  "a JPEG of 100,000 scans, each over the whole picture": scans(100_000),
  "a JPEG of a million empty tables": joinBytes([
    Uint8Array.of(0xff, 0xd8),
    repeated([0xff, 0xc4, 0, 2], 1_000_000),
    scans(1).subarray(2),
  ]),
  "a PNG of 400,000 empty pieces": joinBytes([
    png(1, 1).subarray(0, 33),
    repeated([...pngChunk("IDAT", new Uint8Array())], 400_000),
    png(1, 1).subarray(33),
  ]),
  "a WebP of 600,000 empty pieces": riff([
    repeated([...chunk("JUNK", [])], 600_000),
    chunk("VP8L", [0x2f, 0, 0, 0, 0]),
  ]),
  "a WebP that claims more canvas than picture": riff([
    chunk("VP8X", [0, 0, 0, 0, 255, 255, 255, 255, 255, 255]),
    chunk("VP8L", [0x2f, 0, 0, 0, 0]),
  ]),
  "a WebP that claims 16,384 × 16,384": riff([chunk("VP8L", [0x2f, 0xff, 0xff, 0xff, 0x0f])]),
};

const DRESSED: Record<string, { file: string; bytes: (plain: Uint8Array) => Uint8Array; hidden: string }> = {
  "a JPEG that is a ZIP": {
    file: "photo.jpg",
    bytes: (plain) => joinBytes([plain, text("PK\x03\x04evil.exe"), text("PK\x05\x06")]),
    hidden: "evil.exe",
  },
  "a JPEG that is a PDF": {
    file: "photo.jpg",
    bytes: (plain) => insertSegment(plain, 0xfe, text("\n%PDF-1.7 evil")),
    hidden: "%PDF",
  },
  "a JPEG that is JavaScript": {
    file: "photo.jpg",
    bytes: (plain) => joinBytes([insertSegment(plain, 0xfe, text("*/=alert(1);/*")), text("*/")]),
    hidden: "alert(1)",
  },
  "a PNG that is a page": {
    file: "picture.png",
    bytes: (plain) => joinBytes([plain, text(SCRIPT)]),
    hidden: "script",
  },
  "a PNG with a page in its words": {
    file: "picture.png",
    bytes: (plain) =>
      joinBytes([plain.subarray(0, 33), pngChunk("tEXt", text(`Comment\0${SCRIPT}`)), plain.subarray(33)]),
    hidden: "script",
  },
  "a PNG with a bomb in its words": {
    file: "picture.png",
    bytes: (plain) =>
      joinBytes([
        plain.subarray(0, 33),
        pngChunk("zTXt", joinBytes([text("bomb\0\0"), bomb()])),
        plain.subarray(33),
      ]),
    hidden: "bomb",
  },
  "a PNG whose colour profile is a bomb": {
    file: "picture.png",
    bytes: (plain) =>
      joinBytes([
        plain.subarray(0, 33),
        pngChunk("iCCP", joinBytes([text("profile\0\0"), bomb()])),
        plain.subarray(33),
      ]),
    hidden: "profile",
  },
  "an animated PNG": {
    file: "picture.png",
    bytes: (plain) =>
      joinBytes([
        plain.subarray(0, 33),
        pngChunk("acTL", Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0)),
        plain.subarray(33, -12),
        pngChunk("fdAT", text("0000a second picture")),
        plain.subarray(-12),
      ]),
    hidden: "a second picture",
  },
  "a WebP with a page in it": {
    file: "lossy.webp",
    bytes: (plain) => joinBytes([plain, text(SCRIPT)]),
    hidden: "script",
  },
  "a photo that knows where it was taken": {
    file: "photo.jpg",
    bytes: (plain) => insertSegment(plain, 0xe1, joinBytes([text("Exif\0\0MM\0*\0\0\0\x08\0\0"), GPS])),
    hidden: Buffer.from(GPS).toString("latin1"),
  },
};

Deno.test("an upload refuses a file that is not an image, or one too large to open", async (t) => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const id = await makeDraft(client);
  for (const [what, bytes] of Object.entries(REFUSED)) {
    await t.step(what, async () => {
      for (const [method, path] of [["POST", "/api/campaigns"], ["PUT", `/api/campaigns/${id}/image`]]) {
        for (const [name, type] of [["a.png", "image/png"], ["a.svg", "image/svg+xml"]]) {
          const answer = await upload(client, method!, path!, new File([bytes.slice()], name!, { type }));
          assert.deepEqual([answer.status, (await answer.json()).code], [415, "unsupported_media"]);
        }
      }
    });
  }
  assert.equal((await edge.ctx.db.execute("SELECT 1 FROM images")).rows.length, 0, "nothing was kept");
});

Deno.test("an upload keeps only the picture of a file that is also something else", async (t) => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const id = await makeDraft(client);
  const path = `/api/campaigns/${id}/image`;
  for (const [what, { file, bytes, hidden }] of Object.entries(DRESSED)) {
    await t.step(what, async () => {
      const plain = await Deno.readFile(new URL(`testdata/${file}`, import.meta.url));
      const dressed = bytes(plain);
      assert.ok(latin(dressed).includes(hidden), "it is there to be taken away");
      // The file name and the media type claim a web page.
      const sent = new File([dressed.slice()], "page.html", { type: "text/html" });
      assert.equal((await upload(client, "PUT", path, sent)).status, 200);
      const served = await client.ask(path);
      const kept = new Uint8Array(await served.arrayBuffer());
      assert.ok(!latin(kept).includes(hidden));
      const type = file.endsWith("jpg") ? "image/jpeg" : file.endsWith("png") ? "image/png" : "image/webp";
      assert.equal(served.headers.get("content-type"), type);
      assert.equal(served.headers.get("x-content-type-options"), "nosniff");
      assert.equal(served.headers.get("content-security-policy"), CONTENT_SECURITY_POLICY);
      assert.equal(served.headers.get("cross-origin-resource-policy"), "same-origin");
      assert.match(served.headers.get("cache-control")!, /^private/);
      await upload(client, "PUT", path, new File([plain], file));
      const plainly = new Uint8Array(await (await client.ask(path)).arrayBuffer());
      assert.deepEqual(kept, plainly, "the same bytes as without what was hidden");
    });
  }
});

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

async function makeDraft(client: TestPerson): Promise<number> {
  const form = new FormData();
  form.set("name", "סתיו");
  form.set("message", "שלום");
  return (await (await client.ask("/api/campaigns", { method: "POST", body: form })).json()).id;
}

function upload(client: TestPerson, method: string, path: string, image: File): Promise<Response> {
  const form = new FormData();
  form.set("name", "סתיו");
  form.set("message", "שלום");
  form.set("image", image);
  return client.ask(path, { method, body: form });
}

/** Returns 64 MB of zeros, compressed to 64 kB. */
function bomb(): Uint8Array {
  return deflateSync(new Uint8Array(64 * 1024 * 1024));
}

/** A PNG whose header claims this size, with almost no pixels. */
function png(width: number, height: number): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 0], 8);
  const parts = [["IHDR", header], ["IDAT", deflateSync(new Uint8Array(16))], [
    "IEND",
    new Uint8Array(),
  ]] as const;
  const [first, ...rest] = parts.map(([kind, body]) => pngChunk(kind, body));
  return joinBytes([SIGNATURE, first!, ...rest]);
}

function pngChunk(kind: string, body: Uint8Array): Uint8Array {
  const bytes = joinBytes([new Uint8Array(4), text(kind), body, new Uint8Array(4)]);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(4, bytes.length - 4)));
  return bytes;
}

function insertSegment(plain: Uint8Array, code: number, body: Uint8Array): Uint8Array {
  const length = body.length + 2;
  const header = Uint8Array.of(0xff, code, length >> 8, length & 0xff);
  return joinBytes([plain.subarray(0, 2), header, body, plain.subarray(2)]);
}

function chunk(kind: string, body: number[]): Uint8Array {
  const header = new Uint8Array(8);
  header.set(text(kind));
  new DataView(header.buffer).setUint32(4, body.length, true);
  return joinBytes([header, Uint8Array.from(body), new Uint8Array(body.length & 1)]);
}

function riff(chunks: Uint8Array[]): Uint8Array {
  const body = joinBytes(chunks);
  const header = text("RIFF\0\0\0\0WEBP");
  new DataView(header.buffer).setUint32(4, body.length + 4, true);
  assert.equal(asciiAt(header, 8, 4), "WEBP");
  return joinBytes([header, body]);
}

/** A progressive JPEG of 5000 × 5000 pixels with `count` scans of almost no bytes. */
function scans(count: number): Uint8Array {
  const of = (code: number, body: number[]) => [0xff, code, 0, body.length + 2, ...body];
  const head = [0xff, 0xd8, ...of(0xc2, [8, 0x13, 0x88, 0x13, 0x88, 1, 1, 0x11, 0])];
  const scan = [...of(0xda, [1, 1, 0, 1, 63, 0]), 0x7f];
  return joinBytes([Uint8Array.from(head), repeated(scan, count), Uint8Array.of(0xff, 0xd9)]);
}

function repeated(bytes: number[], count: number): Uint8Array {
  const all = new Uint8Array(bytes.length * count);
  for (let i = 0; i < count; i++) all.set(bytes, i * bytes.length);
  return all;
}
