import { dirname } from "node:path";
import * as z from "zod";

/**
 * One accepted tap on send, and the chat's row: there is no other record of either, so the log can witness that
 * nothing was sent twice. `at` is ISO, `account` "app/user", `image` the SHA-256 of the picture in hex or null.
 */
export const tapSchema = z.strictObject({
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
  /** Returns when the tap is on the disk. */
  append(tap: Tap): void;
  close(): void;
}

/** Opens the log, creating it if need be; a torn last line (a kill in the middle of a write) is cut off the file. */
export function openTapLog(path: string): TapLog {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const file = Deno.openSync(path, { create: true, read: true, write: true, append: true });
  const bytes = Deno.readFileSync(path);
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  if (whole.length < bytes.length) file.truncateSync(whole.length);
  const earlier = new TextDecoder().decode(whole).split("\n").filter((line) => line !== "")
    .map((line) => tapSchema.parse(JSON.parse(line)));
  const encoder = new TextEncoder();
  return {
    earlier,
    append(tap) {
      const line = encoder.encode(`${JSON.stringify(tap)}\n`);
      for (let at = 0; at < line.length;) at += file.writeSync(line.subarray(at));
      file.syncDataSync();
    },
    close: () => file.close(),
  };
}
