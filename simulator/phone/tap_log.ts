import { dirname } from "node:path";
import * as z from "zod";

/**
 * One accepted tap on send, and the chat's row. There is no other record of either, so the log can prove that nothing
 * was sent twice. `at` is ISO, `account` "app/user", `image` the SHA-256 of the picture in hex or null.
 */
const tapSchema = z.strictObject({
  at: z.iso.datetime(),
  serial: z.string(),
  account: z.string(),
  phone: z.string(),
  text: z.string(),
  image: z.string().nullable(),
});
export type Tap = z.infer<typeof tapSchema>;

/** The append-only file of all taps. */
export interface TapLog {
  /** Taps of earlier runs, oldest first. */
  readonly earlier: readonly Tap[];
  /** Returns when the tap is in the file. Killing the simulator then no longer loses it. */
  append(tap: Tap): void;
  /** Resolves when all appended taps are on disk, or at once without `syncs`. One sync serves all waiting callers. */
  flushed(): Promise<void>;
  close(): void;
}

/**
 * Opens the log, or creates it. A torn last line (a kill during a write) is cut off the file. Without `syncs` the
 * system chooses when to write to disk: even then a kill loses nothing.
 */
export function openTapLog(path: string, { syncs = true } = {}): TapLog {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const file = Deno.openSync(path, { create: true, read: true, write: true, append: true });
  // Use a separate descriptor: Deno calls a file busy during a sync, and a tap must not wait for that.
  const syncing = Deno.openSync(path, { write: true });
  const bytes = Deno.readFileSync(path);
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  if (whole.length < bytes.length) file.truncateSync(whole.length);
  const earlier = new TextDecoder().decode(whole).split("\n").filter((line) => line !== "")
    .map((line) => tapSchema.parse(JSON.parse(line)));
  const encoder = new TextEncoder();
  let appended = 0;
  let synced = 0;
  let running = Promise.resolve();
  let next: Promise<void> | null = null;
  const sync = async () => {
    next = null;
    const upTo = appended;
    await syncing.syncData();
    synced = upTo;
  };
  return {
    earlier,
    append(tap) {
      const line = encoder.encode(`${JSON.stringify(tap)}\n`);
      for (let at = 0; at < line.length;) at += file.writeSync(line.subarray(at));
      appended++;
    },
    flushed() {
      if (!syncs || synced === appended) return Promise.resolve();
      // A running sync may have begun before the newest line. The next one certainly covers it.
      return next ??= running = running.then(sync);
    },
    close() {
      file.close();
      syncing.close();
    },
  };
}
