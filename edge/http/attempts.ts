/** Reports attempts to get around the rules to operators at once, and bounds the log lines they can cause. */
import type { ErrorCode } from "shared/error_code.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";

/** Requests that our pages and agents never make: the first one is reported. */
const NEVER_OURS = ["not_allowed", "foreign_origin", "foreign_object", "bad_frame", "bad_mark"] as const;
/** Possible mistakes, or an old open page: reported only from one a second on, whatever their mix. */
const WRONG_INPUT = [
  "invalid_input",
  "not_logged_in",
  "key_invalid",
  "agent_not_authorized",
  "not_found",
  "join_token_invalid",
  "body_too_large",
  "unsupported_media",
  "upgrade_required",
  "too_many_attempts",
] as const satisfies readonly ErrorCode[];

export const ATTEMPT_CODES = [...NEVER_OURS, ...WRONG_INPUT] as const;
export type AttemptCode = (typeof ATTEMPT_CODES)[number];

/** Refusals of one caller within a window before wrong input is reported. */
export const MANY_WRONG = 60;
export const ATTEMPTS_WINDOW_MS = 60_000;
/** Most lines in a window from all callers together; then most callers that are counted separately. */
export const MOST_LINES = 100;
const MOST_CALLERS = 10_000;

export interface Attempt {
  code: AttemptCode;
  /** The caller as far as known: a user, a site, else an address. */
  user?: number | undefined;
  site?: number;
  address?: string;
  method?: string;
  path?: string;
}

/** Reports an attempt. */
export type SawAttempt = (attempt: Attempt) => void;

/** Returns whether a refusal with this code may be an attempt. */
export function isAttempt(code: string): code is AttemptCode {
  return (ATTEMPT_CODES as readonly string[]).includes(code);
}

/**
 * Returns a counter of attempts for each caller, in windows of a minute. It logs a line `attempt` at the first, the
 * tenth, the hundredth and so on. After MOST_LINES it logs nothing until the next minute. `count` is called for each
 * attempt.
 */
export function watchAttempts(
  ctx: Pick<EdgeContext, "now" | "log" | "audit">,
  count: (code: AttemptCode) => void,
): SawAttempt {
  let began = -Infinity;
  let lines = 0;
  let seen = new Map<string, { count: number; logAt: number }>();

  function log(attempt: Attempt, count: number): void {
    lines += 1;
    const { address, ...fields } = attempt;
    if (lines < MOST_LINES) ctx.log.warn("attempt", { ...fields, from: markFrom(ctx, address), count });
    else if (lines === MOST_LINES) ctx.log.warn("attempts_untold", { until: began + ATTEMPTS_WINDOW_MS });
  }

  return (attempt) => {
    const { code } = attempt;
    count(code);
    const now = ctx.now();
    // A clock that was set back also begins a window.
    if (now >= began + ATTEMPTS_WINDOW_MS || now < began) [began, lines, seen] = [now, 0, new Map()];
    const isNeverOurs = (NEVER_OURS as readonly string[]).includes(code);
    const key = `${callerOf(attempt)} ${isNeverOurs ? code : "wrong input"}`;
    const own = seen.has(key) || seen.size < MOST_CALLERS ? key : "others";
    const one = seen.get(own) ?? { count: 0, logAt: isNeverOurs ? 1 : MANY_WRONG };
    seen.set(own, one);
    one.count += 1;
    if (one.count !== one.logAt) return;
    one.logAt *= 10;
    log(attempt, one.count);
  };
}

function callerOf({ user, site, address }: Attempt): string {
  return user !== undefined ? `user ${user}` : site !== undefined ? `site ${site}` : `from ${address}`;
}

/** Returns the address as the audit log marks it. */
function markFrom(ctx: Pick<EdgeContext, "audit">, address: string | undefined): string | undefined {
  return address === undefined ? undefined : markOf(ctx, "address", address);
}
