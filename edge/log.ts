/** Writes one line of JSON per event; never a secret, a token or a whole phone number. */
import { inPlainSigns } from "shared/plain_signs.ts";
import { maskNumbers } from "./mask_numbers.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Record<string, string | number | boolean | null | undefined>;
export type Log = Record<LogLevel, (event: string, fields?: LogFields) => void>;

export interface LogParts {
  /** Lines below it are not written. */
  level: LogLevel;
  /** Server time in milliseconds. */
  now(): number;
  write(line: string): void;
  /** Fields added to every line; read for each line. */
  scope?(): LogFields;
}

/** Returns a log that passes each line at or above its level to `write`, with everything like a phone number masked. */
export function createLog({ level, now, write, scope = () => ({}) }: LogParts): Log {
  const least = LOG_LEVELS.indexOf(level);
  function at(own: LogLevel) {
    return (event: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(own) < least) return;
      const line = { at: new Date(now()).toISOString(), level: own, event, ...scope(), ...masked(fields) };
      write(inPlainSigns(JSON.stringify(line)));
    };
  }
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function masked(fields: LogFields): LogFields {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? maskNumbers(value) : value]),
  );
}
