/**
 * Checks the breaker with counters read after every report and tick: a campaign must be stopped when every allowed
 * window is over a limit.
 */
import type { World } from "./world.ts";

/**
 * The window covers the last 200 outcomes, or up to 300: marks are 20 outcomes apart and written every five
 * seconds.
 */
const WINDOW = { least: 200, most: 300 };
const LEAST_SAMPLE = 50;
/** The defaults, in percent. */
const LIMITS = { failed: 10, unknown: 5, optedOut: 2 };
const SIGNALS = ["failed", "unknown", "optedOut"] as const;
type Signal = (typeof SIGNALS)[number];

interface Standing {
  outcomes: number;
  failed: number;
  unknown: number;
  optedOut: number;
}

interface Watched {
  history: Standing[];
  isPaused: boolean;
}

/** A pause made by a rule. */
export interface Pause {
  campaign: number;
  signal: string;
  at: number;
  outcomes: number;
}

const NOTHING: Standing = { outcomes: 0, failed: 0, unknown: 0, optedOut: 0 };

export class BreakerWatch {
  readonly pauses: Pause[] = [];
  /** Campaigns that were not stopped in time. */
  readonly late: string[] = [];
  readonly #watched = new Map<number, Watched>();

  constructor(readonly world: World) {}

  /** Checks these campaigns. Failures count with the report that brings them, everything else from the next tick. */
  async check(campaigns: readonly number[], behind: "report" | "tick" | "nothing"): Promise<void> {
    const signals = { report: SIGNALS.slice(0, 2), tick: SIGNALS, nothing: [] }[behind];
    const { rows } = await this.world.fleet.ctx.db.execute({
      sql: `SELECT c.id, c.status, c.trip, c.failed_count AS failed, c.unknown_count AS unknown,
          c.sent_count + c.failed_count + c.unknown_count AS outcomes, c.opted_out_count AS opted_out, t.signal
        FROM campaigns c LEFT JOIN breaker_trips t ON t.id = c.trip
        WHERE c.send_at IS NOT NULL AND c.id IN (SELECT value FROM json_each(?))`,
      args: [JSON.stringify(campaigns)],
    });
    for (const row of rows) {
      const standing = {
        outcomes: Number(row.outcomes),
        failed: Number(row.failed),
        unknown: Number(row.unknown),
        optedOut: Number(row.opted_out),
      };
      this.#look(
        Number(row.id),
        String(row.status),
        row.trip === null ? null : String(row.signal),
        standing,
        signals,
      );
    }
  }

  #look(
    campaign: number,
    status: string,
    signal: string | null,
    standing: Standing,
    signals: readonly Signal[],
  ): void {
    const { world } = this;
    const watched = this.#watched.get(campaign) ?? { history: [NOTHING], isPaused: false };
    this.#watched.set(campaign, watched);
    const isPaused = status === "paused";
    if (isPaused && !watched.isPaused) {
      world.witness.paused(campaign, world.clock.now);
      if (signal !== null) {
        this.pauses.push({ campaign, signal, at: world.clock.now, outcomes: standing.outcomes });
      }
    }
    watched.isPaused = isPaused;
    const isRunning = status === "processing" || status === "active";
    const over = isRunning ? overEveryWindow(watched.history, standing, signals) : null;
    if (over) {
      this.late.push(
        `campaign ${campaign} goes on with ${over} at ${new Date(world.clock.now).toISOString()}`,
      );
    }
    watched.history.push(standing);
  }

  /** A person resumed the campaign: after a breaker's pause the window starts again. */
  resumed(campaign: number, byBreaker: boolean): void {
    const watched = this.#watched.get(campaign)!;
    watched.isPaused = false;
    if (byBreaker) watched.history = watched.history.slice(-1);
    this.world.witness.resumed(campaign, this.world.clock.now);
  }
}

/** Returns the signal that is over its limit for every possible start of the window; null if there is none. */
function overEveryWindow(
  history: readonly Standing[],
  now: Standing,
  signals: readonly Signal[],
): string | null {
  const first = history[0]!;
  const isAll = now.outcomes - first.outcomes < WINDOW.least;
  const begins = isAll
    ? [first]
    : history.filter(({ outcomes }) =>
      outcomes <= now.outcomes - WINDOW.least && outcomes >= now.outcomes - WINDOW.most
    );
  for (const signal of signals) {
    const isOver = begins.every((from) => {
      const sample = now.outcomes - from.outcomes;
      return sample >= LEAST_SAMPLE && (now[signal] - from[signal]) * 100 > LIMITS[signal] * sample;
    });
    if (begins.length > 0 && isOver) return `${now[signal]} ${signal}`;
  }
  return null;
}
