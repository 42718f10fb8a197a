/** The machine a part believes to run on: its clock and its disk, changed from outside while it runs. */

/** Begins a command line so that a full disk is an error of the write, as it is on a real one, and no signal. */
export const SURVIVES_FULL_DISK = ["sh", "-c", 'trap "" XFSZ; exec "$@"', "sh"];

const LIBRARY = /^libfaketimeMT\.so\.1$/;
const LIBRARY_DIRS = ["/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime"];

/** A wall clock that is off, and can be set while its process runs; the monotonic clock stays true. */
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

  /** What a command line has to begin with. */
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
    // Never read half written.
    Deno.writeTextFileSync(`${this.#file}.new`, `${offsetS < 0 ? "" : "+"}${offsetS}\n`);
    Deno.renameSync(`${this.#file}.new`, this.#file);
  }

  remove(): void {
    Deno.removeSync(this.#file);
  }
}

/**
 * Lets a running process write no byte to any file more, or again as many as it likes (RLIMIT_FSIZE): the nearest to
 * a full disk that needs no rights. SQLite sees EFBIG in place of ENOSPC.
 */
export async function setDiskFull(pid: number, isFull: boolean): Promise<void> {
  const limit = `--fsize=${isFull ? "0" : "unlimited"}:unlimited`;
  const { success, stderr } = await new Deno.Command("prlimit", { args: ["--pid", `${pid}`, limit] })
    .output();
  // A process that has ended meanwhile has no disk.
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
