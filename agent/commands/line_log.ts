/** Writes each happening as one line of JSON. */
import type { Log } from "../log.ts";

const LEVELS = ["debug", "info", "warn", "error"] as const;

/** A log that drops what is below `level`. */
export function lineLog(level: (typeof LEVELS)[number], write: (line: string) => void): Log {
  return (of, event, fields = {}) => {
    if (LEVELS.indexOf(of) < LEVELS.indexOf(level)) return;
    write(JSON.stringify({ at: new Date().toISOString(), level: of, event, ...fields }));
  };
}
