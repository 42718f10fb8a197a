import assert from "node:assert/strict";
import { PhoneFileSystem } from "./file_system.ts";

Deno.test("PhoneFileSystem keeps one file under all names of the shared storage", () => {
  const files = new PhoneFileSystem();
  files.write("/storage/emulated/0/Download/a.jpg", new Uint8Array([1]), 0o644, 5);
  assert.equal(files.read("/sdcard/Download/../Download/a.jpg")?.mtime, 5);
  assert.deepEqual(files.glob("/sdcard/Download/*.jpg"), ["/sdcard/Download/a.jpg"]);
  assert.equal(files.remove("/mnt/sdcard/Download/a.jpg"), true);
  assert.equal(files.read("/sdcard/Download/a.jpg"), null);
});

Deno.test("PhoneFileSystem.remove() removes a folder with its contents", () => {
  const files = new PhoneFileSystem();
  files.write("/sdcard/x/y/z.txt", new Uint8Array(1), 0o644, 0);
  assert.deepEqual(files.list("/sdcard/x"), ["y"]);
  files.remove("/sdcard/x");
  assert.equal(files.read("/sdcard/x/y/z.txt"), null);
  assert.equal(files.isDirectory("/sdcard/x"), false);
  assert.equal(files.remove("/sdcard/x"), false);
});

Deno.test("PhoneFileSystem.write() refuses a file without room, and counts a replaced file once", () => {
  const files = new PhoneFileSystem();
  const half = new Uint8Array(40 * 1024 * 1024);
  files.write("/sdcard/a", half, 0o644, 0);
  files.write("/sdcard/a", half, 0o644, 0);
  assert.throws(() => files.write("/sdcard/b", half, 0o644, 0), /No space left/);
});
