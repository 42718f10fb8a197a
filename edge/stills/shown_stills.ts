/**
 * Counts the stills that this edge showed, and writes their number to the audit log when a look ends. A line is never
 * changed, so the number has a line of its own.
 */
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { errorFields } from "../error_fields.ts";
import type { Look } from "./looks.ts";

export interface ShownStills {
  /** Counts a still that goes to the caller. */
  count(look: Look): void;
  /** Ends a look of this user early. */
  end(look: number, user: number): Promise<void>;
  /** Ends the looks whose time is over; with `all` every look. */
  endOver(options?: { all: boolean }): Promise<void>;
  /** Ends looks when their time is over, and every look when the signal aborts. */
  run(sleep: (ms: number, signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

interface Shown {
  look: Pick<Look, "user" | "device" | "site" | "until">;
  count: number;
  /** Time of the first and of the last still. */
  from: number;
  to: number;
}

const LOOK_EVERY_MS = 5_000;

export function countShownStills(ctx: EdgeContext): ShownStills {
  const shown = new Map<number, Shown>();

  function count({ id, user, device, site, until }: Look): void {
    const to = ctx.now();
    const before = shown.get(id);
    if (before) Object.assign(before, { to, count: before.count + 1 });
    else shown.set(id, { look: { user, device, site, until }, count: 1, from: to, to });
  }

  async function write(id: number): Promise<void> {
    const { look: { user, device, site }, count, from, to } = shown.get(id)!;
    shown.delete(id);
    try {
      const data = { look: id, stills: count, from, to };
      await ctx.db.execute(
        noteAudit(ctx.now(), { kind: "screen_look_ended", actor: user, device, site, data }),
      );
    } catch (error) {
      ctx.log.warn("look_end_unwritten", { look: id, stills: count, ...errorFields(error) });
    }
  }

  async function endOver({ all } = { all: false }): Promise<void> {
    const now = ctx.now();
    for (const [id, { look }] of [...shown]) if (all || look.until <= now) await write(id);
  }

  return {
    count,
    endOver,
    async end(look, user) {
      if (shown.get(look)?.look.user === user) await write(look);
    },
    async run(sleep, signal) {
      while (!signal.aborted) {
        await sleep(LOOK_EVERY_MS, signal);
        await endOver({ all: signal.aborted });
      }
    },
  };
}
