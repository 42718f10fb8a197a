/** Judges repeats from their rows after every commit: each due day has one run, and each run one campaign. */
import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { PLAN_MISSED_MS } from "shared/campaign.ts";

const AHEAD_MS = 24 * 60 * 60_000;

interface Repeat {
  id: number;
  client: number;
  next_day: string | null;
  next_at: number | null;
  hold: string | null;
  ended_at: number | null;
}

interface Run {
  series: number;
  day: string;
  run_at: number;
  state: string;
  campaign: number | null;
}

const READ = `SELECT
  (SELECT json_group_array(json_object('id', id, 'client', client, 'next_day', next_day, 'next_at', next_at,
    'hold', hold, 'ended_at', ended_at)) FROM series) AS repeats,
  (SELECT json_group_array(json_object('series', series, 'day', day, 'run_at', run_at, 'state', state,
    'campaign', campaign)) FROM series_runs) AS runs`;

export class Repeats {
  readonly #read;
  readonly #now: () => number;
  readonly #count: (what: string) => void;
  #text = "";
  #repeats = new Map<number, Repeat>();
  #runs = new Map<string, Run>();

  constructor(db: DatabaseSync, now: () => number, count: (what: string) => void) {
    const statement = db.prepare(READ);
    this.#read = () => statement.get() as { repeats: string; runs: string };
    this.#now = now;
    this.#count = count;
  }

  /** Another database is open now: what it holds is the beginning. */
  begin(): void {
    this.#text = "";
    this.#repeats.clear();
    this.#runs.clear();
    this.committed(new Set(), true);
  }

  /** Call after every commit, with the clients who are disabled. */
  committed(disabled: ReadonlySet<number>, isBeginning = false): void {
    const { repeats, runs } = this.#read();
    if (repeats + runs === this.#text) return;
    this.#text = repeats + runs;
    const before = { repeats: this.#repeats, runs: this.#runs };
    this.#repeats = new Map((JSON.parse(repeats) as Repeat[]).map((one) => [one.id, one]));
    this.#runs = new Map((JSON.parse(runs) as Run[]).map((run) => [keyOf(run), run]));
    if (isBeginning) return;
    for (const [key, run] of this.#runs) this.#judgeRun(before.runs.get(key), run, before.repeats, disabled);
    for (const [id, was] of before.repeats) {
      const is = this.#repeats.get(id)!;
      if (is.hold !== was.hold) this.#count(`repeat held: ${is.hold}`);
      if (is.next_day === was.next_day) continue;
      const goesOn = was.hold !== null && is.hold === null;
      if (goesOn) this.#count("repeat continued");
      else assert.ok(this.#runs.has(`${id} ${was.next_day}`), `repeat ${id} passed over ${was.next_day}`);
    }
  }

  #judgeRun(
    was: Run | undefined,
    run: Run,
    repeatsBefore: ReadonlyMap<number, Repeat>,
    disabled: ReadonlySet<number>,
  ): void {
    const name = `run ${keyOf(run)}`;
    if (was === undefined) {
      const repeat = repeatsBefore.get(run.series);
      assert.ok(repeat, `${name} has no repeat`);
      assert.equal(run.day, repeat.next_day, `${name} was not due`);
      assert.equal(repeat.hold, null, `${name} was made while its repeat waited`);
      assert.equal(repeat.ended_at, null, `${name} was made after the end`);
      assert.ok(!disabled.has(repeat.client), `${name} of a disabled client was made`);
      assert.ok(run.run_at <= this.#now() + AHEAD_MS, `${name} was made more than a day ahead`);
      const isMissed = run.state === "missed";
      // By the edge's look at the clock: one that was frozen after it writes later.
      if (isMissed) {
        assert.ok(run.run_at <= this.#now() - PLAN_MISSED_MS, `${name} was not missed`);
        assert.equal(run.campaign, null, `${name} was missed and made`);
      }
      this.#count(`run ${isMissed ? "missed" : "begun"}`);
    } else {
      if (was.campaign !== null) assert.equal(run.campaign, was.campaign, `${name} has another campaign`);
      if (was.state !== "making") assert.equal(run.state, was.state, `${name} ended twice`);
    }
    if (run.campaign !== null) {
      const others = [...this.#runs.values()].filter(({ campaign }) => campaign === run.campaign);
      assert.equal(others.length, 1, `${name} shares its campaign`);
    }
    if (was?.state !== run.state && run.state !== "making") this.#count(`run ended: ${run.state}`);
  }

  /** Once the duty finds nothing to do: no run is unfinished, and every live repeat is a day ahead. */
  checkMade(disabled: ReadonlySet<number>): void {
    for (const run of this.#runs.values()) {
      assert.notEqual(run.state, "making", `run ${keyOf(run)} is unfinished`);
    }
    for (const { id, client, hold, ended_at, next_at } of this.#repeats.values()) {
      if (hold !== null || ended_at !== null || disabled.has(client)) continue;
      assert.ok(next_at! > this.#now() + AHEAD_MS, `repeat ${id} has a due day without a run`);
    }
  }
}

function keyOf({ series, day }: Run): string {
  return `${series} ${day}`;
}
