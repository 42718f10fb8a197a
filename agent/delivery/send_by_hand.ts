/**
 * Sends one message for a person at the site, in the same steps as every message. The journal holds its row meanwhile,
 * so that an agent that starts after a crash looks back at its tap. The edge never receives it.
 */
import type { DeliveryReason } from "shared/delivery.ts";
import { TAP_DEADLINE_MS } from "shared/lease.ts";
import type { Clock } from "../time/clock.ts";
import { decide, type RowEvent } from "../journal/decide.ts";
import { deliver, type DeliveryGate, type DeliveryResult } from "./deliver.ts";
import type { Journal, JournalRow } from "../journal/journal.ts";
import { lookBack } from "../phone/look_back.ts";
import { parseAccount, type Phone } from "../phone/phone.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import { resultToEvent } from "./result_to_event.ts";

export interface HandMessage {
  /** "+972…" */
  phone: string;
  text: string;
  account: string;
}

export type HandOutcome =
  | { kind: "sent" }
  | { kind: "not_sent"; reason: DeliveryReason }
  /** Tapped, and both readings proved nothing. */
  | { kind: "unknown"; reason: DeliveryReason }
  /** Tapped, but the command ended before the phone could be asked. The agent looks back when it runs again. */
  | { kind: "left_to_agent" };

export interface HandParts {
  journal: Journal;
  phone: Phone;
  clock: Clock;
  newId: () => string;
  /** What is known about the account's screens. @default {SHIPPED_WORDS} */
  words?: ScreenWords;
}

/** No campaign of the edge has this number, so the archived row changes nothing there. */
const NO_CAMPAIGN = 0;
const LOOK_AGAIN_MS = 2_000;

/**
 * Sends one message with at most one tap in every case.
 *
 * @throws {JournalWriteError} when the journal failed; nothing is tapped after that
 */
export async function sendByHand(
  parts: HandParts,
  message: HandMessage,
  signal: AbortSignal,
): Promise<HandOutcome> {
  const { journal, phone, clock, newId, words: screenWords } = parts;
  const { phone: number, text, account } = message;
  const key = { token: newId(), phone: number };
  const items = [{ phone: number, attempt: 1, account }];
  const lease = { type: "lease", ttlMs: TAP_DEADLINE_MS, campaign: NO_CAMPAIGN, image: null } as const;
  journal.addLease({ ...lease, token: key.token, text, items });

  let result: DeliveryResult;
  try {
    const words = { phone: number, text, imagePath: null };
    result = await deliver(phone, parseAccount(account, screenWords), words, gate(), signal);
  } catch (error) {
    journal.broken.throwIfAborted();
    if (row().state === "tapping") throw error;
    result = { kind: "not_ready", reason: "device_offline" };
  }
  const event: RowEvent = resultToEvent(result) ?? { type: "givenBack", reason: "recalled" };
  if (result.kind !== "doubt") apply(event, result.kind === "sent" ? { tappedAt: clock.now() } : {});
  else if (!await settle(result.reason)) return { kind: "left_to_agent" };
  return forget();

  function gate(): DeliveryGate {
    return {
      awaitPaceSlot: () => Promise.resolve(),
      remainingMs: () => signal.aborted ? 0 : TAP_DEADLINE_MS,
      beginTapping: (tap) =>
        Promise.resolve(!signal.aborted && apply({ type: "readyToTap" }, { tap, tappedAt: clock.now() })),
      tapped() {},
    };
  }

  function row(): JournalRow {
    return journal.get(key.token, key.phone)!;
  }

  function apply(event: RowEvent, facts: { tap?: TapIntent; tappedAt?: number } = {}): boolean {
    const from = row().state;
    // The person's command replaces the edge's `go`.
    const decision = decide({ state: from, hasGo: true }, event);
    if (decision.do !== "move") return false;
    const { to, reason, temporary } = decision;
    return journal.move(key.token, key.phone, from, { to, reason, temporary, ...facts });
  }

  /** Returns false when `stop` aborted before the phone could be asked. */
  async function settle(reason: DeliveryReason): Promise<boolean> {
    while (!signal.aborted) {
      const { tap } = row();
      try {
        const words = { phone: number, text, imagePath: null };
        const evidence = tap
          ? await lookBack(phone, parseAccount(account, screenWords), words, tap, signal)
          : null;
        return apply({ type: "lookedBack", evidence, reason });
      } catch {
        journal.broken.throwIfAborted();
        await clock.sleep(LOOK_AGAIN_MS, signal);
      }
    }
    return false;
  }

  function forget(): HandOutcome {
    const { state, reason } = row();
    journal.forget([{ ...key, state }]);
    if (state === "sent") return { kind: "sent" };
    return { kind: state === "unknown" ? "unknown" : "not_sent", reason: reason ?? "send_not_verified" };
  }
}
