/** Logs refused requests: enough to notice a problem, and bounded however many arrive. */
import type { ErrorCode } from "shared/error_code.ts";
import type { EdgeContext } from "../context.ts";
import type { LogFields } from "../log.ts";

/** At most one line for each code within this time in milliseconds; the next line counts the ones left out. */
export const SAMPLE_MS = 10_000;

/** Returns a function that logs refusals: the first of a code within SAMPLE_MS at info, every other at debug. */
export function sampleRefusals({ log }: Pick<EdgeContext, "log">, now: () => number) {
  const samples = new Map<ErrorCode, { at: number; untold: number }>();
  return (code: ErrorCode, fields: LogFields): void => {
    const last = samples.get(code);
    const ageMs = last === undefined ? Infinity : now() - last.at;
    // A clock that was set back begins again.
    if (last !== undefined && ageMs >= 0 && ageMs < SAMPLE_MS) {
      last.untold += 1;
      return log.debug("request_refused", { ...fields, code });
    }
    samples.set(code, { at: now(), untold: 0 });
    log.info("request_refused", { ...fields, code, untold: last?.untold ?? 0 });
  };
}
