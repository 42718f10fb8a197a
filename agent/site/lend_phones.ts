/**
 * Lends the site's phones to `rehearse`, which cannot have the journal while the agent runs. The command asks over a
 * socket in AGENT_DIR, so that either side notices at once when the other one is gone.
 */
import { z } from "zod";
import { errorText } from "../log.ts";
import { BadLineError, JsonLines } from "../rehearsal/json_lines.ts";
import { answerSchema, type Notice, type Order, orderSchema, type Recorder } from "../rehearsal/rehearsal.ts";
import { rehearse } from "../rehearsal/rehearse.ts";
import { seenOrderSchema, seenScreens } from "../rehearsal/seen_screens.ts";
import { MAX_ANSWER_BYTES, MAX_ORDER_BYTES, rehearsalSocket } from "../rehearsal/socket_path.ts";
import type { AppFactsForScreens, ScreenWords } from "../screens/screen_words.ts";
import type { Site } from "./site.ts";

export interface LendingOptions {
  agentDir: string;
  newId: () => string;
  /** Returns what is known about the screens of an app, by the files of now. */
  wordsOf(facts: AppFactsForScreens): ScreenWords;
  /** Makes the recorder of one rehearsal. */
  record(order: Order): Recorder;
}

/** Connections that are read at the same time; the words of `too_many` name the number. */
const MOST_CONNECTIONS = 4;
const ORDER_WITHIN_MS = 10_000;
/** A person goes to the phone, and back to the keyboard. */
const ANSWER_WITHIN_MS = 3 * 60_000;

/** Takes orders until the signal aborts, and finishes the rehearsal in hand. */
export async function lendPhones(site: Site, options: LendingOptions, signal: AbortSignal): Promise<void> {
  const path = rehearsalSocket(options.agentDir);
  let listener: Deno.UnixListener;
  try {
    // The journal's lock is ours: a socket that is there belongs to a killed process.
    await Deno.remove(path).catch(ignoreMissing);
    listener = Deno.listen({ transport: "unix", path });
    await Deno.chmod(path, 0o600);
  } catch (error) {
    return site.log("warn", "rehearsals_not_taken", { path, why: errorText(error) });
  }
  const open = new Set<Promise<void>>();
  const end = () => listener.close();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  for (;;) {
    const socket = await listener.accept().catch(() => null);
    if (socket === null) break;
    if (open.size >= MOST_CONNECTIONS) {
      void refuseUnread(socket);
      continue;
    }
    const served = serve(site, options, socket).catch((error) => {
      if (!site.journal.broken.aborted) site.log("error", "rehearsal_failed", { why: errorText(error) });
    }).finally(() => open.delete(served));
    open.add(served);
  }
  await Promise.all(open);
  await Deno.remove(path).catch(ignoreMissing);
}

/** Answers without reading the order: its bytes are not kept for a person who has to wait anyway. */
async function refuseUnread(socket: Deno.Conn): Promise<void> {
  using lines = new JsonLines(socket);
  await lines.write({ type: "refused", why: "too_many" } satisfies Notice);
}

async function serve(site: Site, options: LendingOptions, socket: Deno.Conn): Promise<void> {
  using lines = new JsonLines(socket);
  const gone = new AbortController();
  const send = (notice: Notice) => lines.write(notice);
  const refuse = (why: Extract<Notice, { type: "refused" }>["why"]) => send({ type: "refused", why });
  const order = await readOrder(site, lines);
  if (order === null) return await refuse("bad_order");
  if ("asks" in order) {
    return await send({ type: "screens", screens: seenScreens(site.pool.unknownScreens()) });
  }
  const { device } = order;
  if (site.pool.reachable(device) === null) return await refuse("no_such_phone");
  if (order.to !== null && site.journal.isStopped(device)) return await refuse("phone_stopped");
  if (!site.isFreeOfDoubt(device)) return await refuse("tap_in_doubt");
  if (site.lent.has(device)) return await refuse("busy");
  site.lent.add(device);
  const answers = readAnswers(lines, gone);
  const isWanted = () => !gone.signal.aborted;
  try {
    await send({ type: "waiting" });
    await site.between(device, async (phone, signal) => {
      if (!isWanted()) return;
      if (!site.isFreeOfDoubt(device)) return await refuse("tap_in_doubt");
      // Other phones take what waits for this one.
      site.book.giveBack({ device }, "recalled");
      site.reportBell.wake();
      const { journal, clock } = site;
      const report = await rehearse(
        {
          phone,
          journal,
          clock,
          newId: options.newId,
          recorder: options.record(order),
          onStep: (step) => void send({ type: "step", step }),
          askCode: async (triesLeft) => {
            await send({ type: "question", triesLeft });
            return await answers.next(site.clock.sleep(ANSWER_WITHIN_MS, gone.signal));
          },
          isWanted,
          wordsOf: options.wordsOf,
          awaitPaceSlot: () => site.awaitPaceSlot(device, signal),
        },
        order,
        signal,
      );
      const { result, message } = report;
      site.log("info", "rehearsal", { device, result, message });
      await send({ type: "report", report });
    });
  } catch (error) {
    if (site.journal.broken.aborted) throw error;
    site.log("warn", "rehearsal_not_done", { device, why: errorText(error) });
    await refuse(site.halt.aborted ? "ending" : "not_done");
  } finally {
    site.lent.delete(device);
    site.inventoryBell.wake();
    site.roomBell.wake();
  }
}

async function readOrder(
  site: Site,
  lines: JsonLines,
): Promise<Order | z.infer<typeof seenOrderSchema> | null> {
  const inTime = new AbortController();
  const tooLate = site.clock.sleep(ORDER_WITHIN_MS, inTime.signal).then(() => null);
  try {
    return await Promise.race([
      lines.read(z.union([orderSchema, seenOrderSchema]), MAX_ORDER_BYTES),
      tooLate,
    ]);
  } catch (error) {
    if (!(error instanceof BadLineError)) throw error;
    return null;
  } finally {
    inTime.abort();
  }
}

/** Reads the person's answers for as long as the connection lasts. A bad line counts as its end. */
function readAnswers(lines: JsonLines, gone: AbortController) {
  let waiting: ((code: string | null) => void) | null = null;
  const read = async () => {
    for (;;) {
      const answer = await lines.read(answerSchema, MAX_ANSWER_BYTES);
      if (answer === null) return;
      waiting?.(answer.code.trim());
      waiting = null;
    }
  };
  const reading = read().catch(() => {}).finally(() => {
    gone.abort();
    waiting?.(null);
  });
  return {
    reading,
    /** Returns the next answer, or null when the connection ends or `tooLate` resolves before it. */
    async next(tooLate: Promise<void>): Promise<string | null> {
      if (gone.signal.aborted) return null;
      const { promise, resolve } = Promise.withResolvers<string | null>();
      waiting = resolve;
      return await Promise.race([promise, tooLate.then(() => null)]);
    },
  };
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
