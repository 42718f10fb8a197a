/** Writes each log entry as one line: JSON for programs, text for people. */
import { inPlainSigns } from "shared/plain_signs.ts";
import { type Log, LOG_LEVELS, type LogFields, type LogLevel, maskPhonesIn } from "../log.ts";

export interface LineLogOptions {
  level: LogLevel;
  format: "json" | "text";
  write(line: string): void;
}

/** Fields that name a phone of the site. A serial of digits alone is not a person's number. */
const OF_DEVICES = new Set(["device", "account", "address", "serial"]);

/** Returns a log that drops entries below `level`, and masks every phone number that is still in an entry. */
export function lineLog({ level, format, write }: LineLogOptions): Log {
  return (of, event, fields = {}) => {
    if (LOG_LEVELS.indexOf(of) < LOG_LEVELS.indexOf(level)) return;
    const at = new Date().toISOString();
    const masked = maskFields(fields);
    const line = format === "json"
      ? JSON.stringify({ at, level: of, event, ...masked })
      : textLine(at, of, event, masked);
    // A phone may report any text about itself.
    write(inPlainSigns(line));
  };
}

function maskFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" && !OF_DEVICES.has(name) ? maskPhonesIn(value) : value,
    ]),
  );
}

function textLine(at: string, level: LogLevel, event: string, fields: LogFields): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => `${name}=${plain(value)}`);
  return [at.replace("T", " ").slice(0, 19), level.padEnd(5), event, ...pairs].join(" ");
}

function plain(value: unknown): string {
  return typeof value === "string" && /[\s"=]/.test(value) ? JSON.stringify(value) : String(value);
}
