/** One line of JSON an event; never a secret, a token or a whole phone number. */

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Record<string, string | number | boolean | null | undefined>;
export type Log = Record<LogLevel, (event: string, fields?: LogFields) => void>;

/** Makes a log that hands each line at or above `level` to `write`, with `now` as its time. */
export function createLog(level: LogLevel, now: () => number, write: (line: string) => void): Log {
  const least = LOG_LEVELS.indexOf(level);
  function at(own: LogLevel) {
    return (event: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(own) < least) return;
      write(JSON.stringify({ at: new Date(now()).toISOString(), level: own, event, ...fields }));
    };
  }
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
