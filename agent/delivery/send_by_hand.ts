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
import { lookBack, StrangeScreenError } from "../phone/look_back.ts";
import { parseAccount, type Phone } from "../phone/phone.ts";
import { imagePathOn } from "../phone/place_image.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import { resultToEvent } from "./result_to_event.ts";

export interface HandMessage {
  /** "+972…" */
  phone: string;
  text: string;
  account: string;
  /** SHA-256 of a picture that placeImage() has put on the phone, or null. */
  image?: string | null;
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
  /** Asked just before the tap. False = the person is gone, and nothing is tapped. */
  mayTap?(): boolean;
  /** Waits for the device's pace slot. */
  awaitPaceSlot?(): Promise<void>;
  /** Called when the intent is on disk, when the tap command has returned, and when the row was seen. */
  reached?(step: "intent" | "tap" | "proof", tap: TapIntent): void;
  /** What is known about the account's screens; undefined = only what a release ships. */
  words: ScreenWords | undefined;
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
  const { journal, phone, clock, newId, mayTap = () => true } = parts;
  const { phone: number, text, account, image = null } = message;
  const key = { token: newId(), phone: number };
  const items = [{ phone: number, attempt: 1, account }];
  const lease = { type: "lease", ttlMs: TAP_DEADLINE_MS, campaign: NO_CAMPAIGN } as const;
  journal.addLease({ ...lease, token: key.token, text, image, items });
  const sender = parseAccount(account, parts.words);
  const words = { phone: number, text, imagePath: image === null ? null : imagePathOn(sender, image) };

  let result: DeliveryResult;
  try {
    result = await deliver(phone, sender, words, gate(), signal);
  } catch (error) {
    journal.broken.throwIfAborted();
    if (row().state === "tapping") throw error;
    result = { kind: "not_ready", reason: "device_offline" };
  }
  if (result.kind === "doubt") return await settle(result.reason);
  if (result.kind === "sent") parts.reached?.("proof", row().tap!);
  if (result.kind === "not_on_app") journal.drafts.gone(account, number);
  const event: RowEvent = resultToEvent(result) ?? { type: "givenBack", reason: "recalled" };
  return conclude(event, result.kind === "sent" ? { tappedAt: clock.now() } : {});

  function isOver(): boolean {
    return signal.aborted || !mayTap();
  }

  function gate(): DeliveryGate {
    return {
      typing: {
        begins: () => {
          journal.drafts.begins({ account, phone: number, text, isPicture: image !== null });
          return Promise.resolve();
        },
        strays: (phone, account) => journal.drafts.begins({ account, phone, text, isPicture: false }),
      },
      awaitPaceSlot: parts.awaitPaceSlot ?? (() => Promise.resolve()),
      remainingMs: () => isOver() ? 0 : TAP_DEADLINE_MS,
      beginTapping: (tap) => {
        const may = !isOver() && apply({ type: "readyToTap" }, { tap, tappedAt: clock.now() });
        if (may) parts.reached?.("intent", tap);
        return Promise.resolve(may);
      },
      tapped: () => parts.reached?.("tap", row().tap!),
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

  /** Writes the outcome and forgets the row at once: a running site reports every outcome that it finds. */
  function conclude(event: RowEvent, facts: { tappedAt?: number } = {}): HandOutcome {
    apply(event, facts);
    const { state, reason } = row();
    journal.forget([{ ...key, state }]);
    if (state === "sent") return { kind: "sent" };
    return { kind: state === "unknown" ? "unknown" : "not_sent", reason: reason ?? "send_not_verified" };
  }

  function deleting(): void {
    journal.drafts.deleting(account, number, text);
  }

  /** Looks back until the phone could be asked, or `signal` aborts. */
  async function settle(reason: DeliveryReason): Promise<HandOutcome> {
    while (!signal.aborted) {
      const { tap } = row();
      try {
        const evidence = tap ? await lookBack(phone, sender, words, tap, signal, deleting) : null;
        return conclude({ type: "lookedBack", evidence, reason });
      } catch (error) {
        journal.broken.throwIfAborted();
        // The person is there and looks at the phone; no file will come while they wait.
        if (error instanceof StrangeScreenError) {
          return conclude({ type: "lookedBack", evidence: null, reason });
        }
        await clock.sleep(LOOK_AGAIN_MS, signal);
      }
    }
    return { kind: "left_to_agent" };
  }
}
