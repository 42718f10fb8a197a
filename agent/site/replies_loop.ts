/**
 * Reads the replies of recipients, and sends the edge the requests to be removed. All other replies are neither kept
 * nor sent. Neither is anything from people to whom no campaign of this site wrote.
 */
import type { ReplyItem } from "shared/agent_protocol.ts";
import { decideOptOut, excerptOf } from "shared/opt_out.ts";
import { errorText } from "../log.ts";
import { type NotificationDump, readNotifications, type ShownReply } from "../phone/notifications.ts";
import { type Phone, PhoneCommandError } from "../phone/phone.ts";
import type { Site } from "./site.ts";

/** How often each phone's notifications are read, during other work too: the command touches nothing. */
const READ_EVERY_MS = 20_000;
const LOOK_MS = 1_000;
const READ_TIMEOUT_MS = 8_000;
/**
 * A phone shows the problem after this many failed reads in a row while it answers other commands. A single failure may
 * be a loose cable.
 */
const FAILURES_SHOWN = 2;
const MAX_PROBLEM_CHARS = 100;
/** One look at a phone takes this many removals at most; the next looks take the rest. */
const REMOVALS_AT_ONCE = 10;
/** Far below MAX_REPLY_ITEMS: while the edge takes a frame, it reads nothing else of the site. */
const SENT_AT_ONCE = 10;
/** A reply without an acknowledgement is sent again after this long. */
const SEND_AGAIN_MS = 5_000;

/** Reads until the signal aborts. Each phone has its own loop, so that one that hangs delays no other. */
export async function readRepliesLoop(site: Site, signal: AbortSignal): Promise<void> {
  const dueAt = new Map<string, number>();
  const reading = new Map<string, Promise<void>>();
  const failures = new Map<string, number>();
  while (!signal.aborted) {
    const now = site.clock.monotonic();
    for (const device of site.pool.devices()) {
      const phone = site.pool.reachable(device);
      if (phone === null || reading.has(device) || now < (dueAt.get(device) ?? 0)) continue;
      dueAt.set(device, now + READ_EVERY_MS);
      reading.set(device, readPhone(site, phone, failures, signal).finally(() => reading.delete(device)));
    }
    await site.clock.sleep(LOOK_MS, signal);
  }
  await Promise.all(reading.values());
}

/** Sends until the signal aborts. Replies without an acknowledgement stay in the journal. */
export async function sendRepliesLoop(site: Site, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const items = site.book.isReady && site.takesReplies() ? site.journal.unsentReplies(SENT_AT_ONCE) : [];
    if (items.length > 0) site.send({ type: "inbound", items });
    await site.replyBell.wait(site.clock, SEND_AGAIN_MS, signal);
  }
}

async function readPhone(site: Site, phone: Phone, failures: Map<string, number>, signal: AbortSignal) {
  const { journal, log, pool, replyBell } = site;
  const { device } = phone;
  try {
    const dump = await askNotifications(phone, signal);
    failures.delete(device);
    pool.repliesRead(device, problemOf(dump));
    const added = journal.addReplies(newItems(site, dump));
    if (added === 0) return;
    log("info", "replies_read", { device, replies: added });
    replyBell.wake();
  } catch (error) {
    // The pool reports a phone that is away, and a failed journal ends the worker by its own signal.
    if (signal.aborted) return;
    log("debug", "replies_not_read", { device, why: errorText(error) });
    if (pool.reachable(device) === null) return void failures.delete(device);
    const count = (failures.get(device) ?? 0) + 1;
    failures.set(device, count);
    if (count < FAILURES_SHOWN) return;
    pool.repliesRead(device, unreadable(errorText(error).slice(0, MAX_PROBLEM_CHARS)));
  }
}

/** Returns the text for the device's detail. */
function problemOf({ problem, mayBeForged }: NotificationDump): string | null {
  if (problem !== null) return unreadable(problem);
  return mayBeForged ? "a notification looks forged: requests to be removed wait for a person" : null;
}

function unreadable(why: string): string {
  return `replies cannot be read: ${why}`;
}

async function askNotifications(phone: Phone, signal: AbortSignal): Promise<NotificationDump> {
  try {
    const output = await phone.run("dumpsys notification --noredact", { timeoutMs: READ_TIMEOUT_MS, signal });
    return readNotifications(output, phone.device);
  } catch (error) {
    if (error instanceof PhoneCommandError) return readNotifications(error.output, phone.device);
    throw error;
  }
}

/** Returns the new replies. If they may be forged, a person decides. */
function newItems(site: Pick<Site, "journal">, { replies, mayBeForged }: NotificationDump): ReplyItem[] {
  let removals = 0;
  return replies.flatMap((reply) => itemsOf(site, reply)).flatMap((item) => {
    if (site.journal.knowsReply(item.id)) return [];
    if (item.decision !== "remove") return [item];
    if (mayBeForged) return [{ ...item, decision: "unclear" as const }];
    return ++removals > REMOVALS_AT_ONCE ? [] : [item];
  });
}

function itemsOf({ journal }: Pick<Site, "journal">, reply: ShownReply): ReplyItem[] {
  const { id, phone, account, text, at, isCut } = reply;
  const decision = decideOptOut(text, { isCut });
  if (decision === "none" || !journal.hasWrittenTo(phone)) return [];
  return [{ id, phone, account, decision, excerpt: excerptOf(text), at }];
}
