/** Attempts to get around the rules, told to operators at once, and so that nobody can flood the log with them. */
import type { ErrorCode } from "shared/error_code.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";

/** What neither our pages nor our agents ever do: the first one is told. */
const NEVER_OURS = ["not_allowed", "foreign_origin", "foreign_object", "bad_frame", "bad_mark"] as const;
/** What may be a slip, or a page left open: told from one a second on, whichever they are. */
const WRONG_INPUT = [
  "invalid_input",
  "not_logged_in",
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

/** Of one caller, before wrong input is told. */
export const MANY_WRONG = 60;
export const ATTEMPTS_WINDOW_MS = 60_000;
/** Lines in a window from all callers together, and callers that are told apart. */
export const MOST_LINES = 100;
const MOST_CALLERS = 10_000;

export interface Attempt {
  code: AttemptCode;
  /** Who it was, as far as that is known: a user, a site, else an address. */
  user?: number | undefined;
  site?: number;
  address?: string;
  method?: string;
  path?: string;
}

/** Tells of an attempt. */
export type SawAttempt = (attempt: Attempt) => void;

/** Whether a refusal with this code may be an attempt. */
export function isAttempt(code: string): code is AttemptCode {
  return (ATTEMPT_CODES as readonly string[]).includes(code);
}

/**
 * Makes what counts them, caller by caller, in windows of a minute: a line `attempt` at the first, the tenth, the
 * hundredth and so on, and after MOST_LINES no more until the next minute. `count` is told of every one.
 */
export function watchAttempts(
  ctx: Pick<EdgeContext, "now" | "log" | "audit">,
  count: (code: AttemptCode) => void,
): SawAttempt {
  let began = -Infinity;
  let lines = 0;
  let seen = new Map<string, { count: number; tellAt: number }>();

  function tell(attempt: Attempt, count: number): void {
    lines += 1;
    const { address, ...fields } = attempt;
    if (lines < MOST_LINES) ctx.log.warn("attempt", { ...fields, from: markFrom(ctx, address), count });
    else if (lines === MOST_LINES) ctx.log.warn("attempts_untold", { until: began + ATTEMPTS_WINDOW_MS });
  }

  return (attempt) => {
    const { code } = attempt;
    count(code);
    const now = ctx.now();
    // A clock that was set back begins a window as well.
    if (now >= began + ATTEMPTS_WINDOW_MS || now < began) [began, lines, seen] = [now, 0, new Map()];
    const isNeverOurs = (NEVER_OURS as readonly string[]).includes(code);
    const key = `${callerOf(attempt)} ${isNeverOurs ? code : "wrong input"}`;
    const own = seen.has(key) || seen.size < MOST_CALLERS ? key : "others";
    const one = seen.get(own) ?? { count: 0, tellAt: isNeverOurs ? 1 : MANY_WRONG };
    seen.set(own, one);
    one.count += 1;
    if (one.count !== one.tellAt) return;
    one.tellAt *= 10;
    tell(attempt, one.count);
  };
}

function callerOf({ user, site, address }: Attempt): string {
  return user !== undefined ? `user ${user}` : site !== undefined ? `site ${site}` : `from ${address}`;
}

/** As the audit log marks it. */
function markFrom(ctx: Pick<EdgeContext, "audit">, address: string | undefined): string | undefined {
  return address === undefined ? undefined : markOf(ctx, "address", address);
}
