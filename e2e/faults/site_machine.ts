/** Changes the clock and the disk that a part sees, from outside and while it runs. */

/** Command prefix that turns a full disk into a write error, as on a real one, not a signal. */
export const SURVIVES_FULL_DISK = ["sh", "-c", 'trap "" XFSZ; exec "$@"', "sh"];

const LIBRARY = /^libfaketimeMT\.so\.1$/;
const LIBRARY_DIRS = ["/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime"];

/** A wrong wall clock that can be set while its process runs; the monotonic clock stays correct. */
export class FalseClock {
  readonly #file: string;

  private constructor(file: string, offsetS: number) {
    this.#file = file;
    this.set(offsetS);
  }

  /** @throws {Error} when libfaketime is not installed */
  static make(offsetS: number): FalseClock {
    return new FalseClock(Deno.makeTempFileSync({ prefix: "shigur-clock-" }), offsetS);
  }

  /** Prefix of the process's command line. */
  get prefix(): string[] {
    return [
      "env",
      `LD_PRELOAD=${findLibrary()}`,
      `FAKETIME_TIMESTAMP_FILE=${this.#file}`,
      "FAKETIME_NO_CACHE=1",
      "FAKETIME_DONT_FAKE_MONOTONIC=1",
    ];
  }

  set(offsetS: number): void {
    // Write and rename, so that a reader never sees half a file.
    Deno.writeTextFileSync(`${this.#file}.new`, `${offsetS < 0 ? "" : "+"}${offsetS}\n`);
    Deno.renameSync(`${this.#file}.new`, this.#file);
  }

  remove(): void {
    Deno.removeSync(this.#file);
  }
}

/**
 * Forbids or allows a running process to write to any file (RLIMIT_FSIZE): the closest to a full disk without
 * privileges. SQLite gets EFBIG instead of ENOSPC.
 */
export async function setDiskFull(pid: number, isFull: boolean): Promise<void> {
  const limit = `--fsize=${isFull ? "0" : "unlimited"}:unlimited`;
  const { success, stderr } = await new Deno.Command("prlimit", { args: ["--pid", `${pid}`, limit] })
    .output();
  // The process has ended meanwhile.
  const text = new TextDecoder().decode(stderr);
  if (!success && !/No such process/.test(text)) throw new Error(`Cannot limit files of ${pid}: ${text}`);
}

function findLibrary(): string {
  for (const dir of LIBRARY_DIRS) {
    try {
      for (const { name } of Deno.readDirSync(dir)) if (LIBRARY.test(name)) return `${dir}/${name}`;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Error("Cannot set a false clock: libfaketime is not installed (apt-get install faketime)");
}
