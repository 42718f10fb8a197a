/**
 * Counts the stills that this edge showed, and writes their number to the audit log when a look ends. A line is never
 * changed, so the number has a line of its own.
 */
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { errorFields } from "../error_fields.ts";
import { findOpenLook, type Look } from "./looks.ts";

export interface ShownStills {
  /** Counts a still that goes to the caller. */
  count(look: Look): void;
  /** Closes a look of this user: from now on no edge serves a still of it. */
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
  /** Looks whose line about their end is being written. */
  const closing = new Set<number>();

  function count({ id, user, device, site, until }: Look): void {
    const to = ctx.now();
    const before = shown.get(id);
    if (before) Object.assign(before, { to, count: before.count + 1 });
    else shown.set(id, { look: { user, device, site, until }, count: 1, from: to, to });
  }

  async function write(id: number): Promise<void> {
    const { look, count, from, to } = shown.get(id)!;
    shown.delete(id);
    try {
      await noteEnd(look, { look: id, stills: count, from, to });
    } catch (error) {
      ctx.log.warn("look_end_unwritten", { look: id, stills: count, ...errorFields(error) });
    }
  }

  async function noteEnd(
    { user, device, site }: Shown["look"],
    data: Record<string, unknown>,
  ): Promise<void> {
    await ctx.db.execute(
      noteAudit(ctx.now(), { kind: "screen_look_ended", actor: user, device, site, data }),
    );
  }

  async function endOver({ all } = { all: false }): Promise<void> {
    const now = ctx.now();
    for (const [id, { look }] of [...shown]) if (all || look.until <= now) await write(id);
  }

  return {
    count,
    endOver,
    async end(id, user) {
      // A page that leaves says so twice.
      const look = closing.has(id) ? null : await findOpenLook(ctx, user, id);
      if (look === null || closing.has(id)) return;
      closing.add(id);
      try {
        const { count = 0, from = null, to = null } = shown.get(id) ?? {};
        shown.delete(id);
        await noteEnd(look, { look: id, stills: count, from, to, closed: 1 });
      } finally {
        closing.delete(id);
      }
    },
    async run(sleep, signal) {
      while (!signal.aborted) {
        await sleep(LOOK_EVERY_MS, signal);
        await endOver({ all: signal.aborted });
      }
    },
  };
}
