import { posix } from "node:path";
import { patternRegExp } from "./file_pattern.ts";

/** A file in a phone's memory. `mode` is the whole st_mode, `mtime` is in seconds. */
export interface PhoneFile {
  bytes: Uint8Array;
  mode: number;
  mtime: number;
}

export const REGULAR_FILE = 0o100000;
export const DIRECTORY = 0o040000;

const ROOTS = [
  "/",
  "/sdcard",
  "/sdcard/Download",
  "/sdcard/DCIM",
  "/sdcard/Pictures",
  "/data",
  "/data/local/tmp",
];
const MAX_BYTES = 64 * 1024 * 1024;

/** A phone's storage: files by path, in memory, at most 64 MB. A directory exists while it holds a file. */
export class PhoneFileSystem {
  readonly #files = new Map<string, PhoneFile>();
  readonly #directories = new Set(ROOTS);

  /** Returns one path for one file: /storage/emulated/0 and /mnt/sdcard are other names of /sdcard. */
  resolve(path: string): string {
    const absolute = posix.resolve("/", path);
    return absolute.replace(
      /^\/(?:storage\/emulated\/0|storage\/self\/primary|mnt\/sdcard)(?=\/|$)/,
      "/sdcard",
    );
  }

  read(path: string): PhoneFile | null {
    return this.#files.get(this.resolve(path)) ?? null;
  }

  /** Throws QuotaExceededError when the phone is full. */
  write(path: string, bytes: Uint8Array, mode: number, mtime: number): void {
    const resolved = this.resolve(path);
    const others = [...this.#files].reduce(
      (sum, [at, file]) => at === resolved ? sum : sum + file.bytes.length,
      0,
    );
    if (others + bytes.length > MAX_BYTES) {
      throw new DOMException("No space left on device", "QuotaExceededError");
    }
    this.#files.set(resolved, { bytes, mode: REGULAR_FILE | (mode & 0o777), mtime });
    this.makeDirectory(posix.dirname(resolved));
  }

  isDirectory(path: string): boolean {
    return this.#directories.has(this.resolve(path));
  }

  makeDirectory(path: string): void {
    for (let at = this.resolve(path); at !== "/"; at = posix.dirname(at)) this.#directories.add(at);
  }

  /** Removes a file, or a directory with everything in it. Returns false when there was nothing. */
  remove(path: string): boolean {
    const resolved = this.resolve(path);
    if (this.#files.delete(resolved)) return true;
    if (!this.#directories.has(resolved) || resolved === "/") return false;
    for (const at of this.#files.keys()) if (at.startsWith(`${resolved}/`)) this.#files.delete(at);
    for (const at of this.#directories) {
      if (at === resolved || at.startsWith(`${resolved}/`)) this.#directories.delete(at);
    }
    return true;
  }

  /** Returns the names in a directory, sorted. */
  list(path: string): string[] {
    const resolved = this.resolve(path);
    return [...this.#files.keys(), ...this.#directories]
      .filter((at) => at !== "/" && posix.dirname(at) === resolved).map((at) => posix.basename(at)).sort();
  }

  /** Returns the paths that match a pattern whose last part has * or ?. */
  glob(pattern: string): string[] {
    const directory = posix.dirname(pattern);
    const matches = patternRegExp(posix.basename(pattern));
    return this.list(directory).filter((name) => matches.test(name)).map((name) =>
      posix.join(directory, name)
    );
  }
}
