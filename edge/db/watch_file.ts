/** SQLite continues in a file that was moved or removed during use: the next start does not find those commits. */
import { stat } from "node:fs/promises";

const LOOK_MS = 1_000;

/**
 * Returns a watch over the file that `path` leads to now. It checks every second until `signal` aborts, and calls
 * `onMoved` once when the path leads to another file or to none. A check that fails in another way is ignored.
 */
export async function openFileWatch(path: string, sleep: (ms: number, signal: AbortSignal) => Promise<void>) {
  const opened = await identityOf(path);
  return async (onMoved: () => void, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const found = await identityOf(path).catch(() => opened);
      if (found !== opened) return onMoved();
      await sleep(LOOK_MS, signal);
    }
  };
}

/** Returns null when the file does not exist. */
async function identityOf(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path);
    return `${dev} ${ino}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
