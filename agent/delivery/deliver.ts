/**
 * One delivery on one account of one phone, from waking the phone to the proof. Uses no network and no journal
 * directly.
 */
import type { DeliveryReason } from "shared/delivery.ts";
import { TAP_DEADLINE_MS } from "shared/lease.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import type { LostState } from "../phone/await_screen.ts";
import { guardedTap } from "../phone/guarded_tap.ts";
import type { AppAccount, Phone } from "../phone/phone.ts";
import { type Message, prepare, type Typing } from "../phone/prepare.ts";
import { type HeldPhone, takePhoneFence } from "../phone/phone_fence.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";
import { verifySent } from "../phone/verify_sent.ts";

export type DeliveryResult =
  | { kind: "sent" }
  | { kind: "not_on_app" }
  /** Not tapped, for a temporary cause. */
  | { kind: "not_ready"; reason: DeliveryReason }
  /** Not tapped: the account can no longer send. */
  | { kind: "lost"; state: LostState }
  /** Not tapped: the app shows a screen that no screen file knows. */
  | { kind: "unknown_screen"; screen: UnknownScreen }
  /** Not tapped: the work was taken back in the meantime. */
  | { kind: "taken_back" }
  /**
   * Tapped, or possibly tapped: only a look back after the deadline can show it. `unknown`: our message is in sight, in a
   * row that no screen file knows.
   */
  | { kind: "doubt"; reason: DeliveryReason; lost: LostState | null; unknown?: UnknownScreen };

export interface DeliveryGate {
  /**
   * Looks at the account's app before anything is typed: its command runs with the phone's fence. `read` returns false
   * when the work was taken back over it.
   */
  appLook?: { command: string; read(output: string): Promise<boolean> };
  /** Writes to disk what is about to be typed. Whatever ends the delivery, the words may be in the chat from then on. */
  typing?: Typing;
  /** Waits for the device's pace slot, which may be a second or two away. `waitedMs` comes from prepare(). */
  awaitPaceSlot(waitedMs: number): Promise<void>;
  /** True when the screen is read again before the tap however young its last reading is. */
  looksAgain?(): boolean;
  /** Milliseconds left for the tap; 0 = do not tap. */
  remainingMs(): number;
  /** Writes the intent to disk. Returns false when the work was taken back: then nothing may be tapped. */
  beginTapping(tap: TapIntent): Promise<boolean>;
  /** Called when the tap command has returned. */
  tapped(): void;
  /** Called when the message is proven and none of its commands still runs. The next act can reuse the held phone. */
  proven?(held: HeldPhone): void;
}

/** A reading older than this at the tap is repeated: a person may have used the phone since. */
const READING_HOLDS_MS = 2_000;

/**
 * Sends one message. Everything before `beginTapping` may be tried again, nothing after it.
 *
 * @throws {AdbError} when the phone is lost before the tap
 * @throws {PhoneBusyError} when an earlier command still runs on it
 */
export async function deliver(
  phone: Phone,
  account: AppAccount,
  message: Message,
  gate: DeliveryGate,
  signal?: AbortSignal,
): Promise<DeliveryResult> {
  const held = await takePhoneFence(phone, signal, gate.appLook?.command);
  if (await gate.appLook?.read(held.asked) === false) return { kind: "taken_back" };
  let prepared = await prepare(held, account, message, signal, gate.typing);
  if (prepared.kind !== "ready") return prepared;
  await gate.awaitPaceSlot(prepared.waitedMs);
  const isOld = phone.clock.monotonic() - prepared.readAt > READING_HOLDS_MS;
  if (isOld || gate.looksAgain?.()) prepared = await prepared.readAgain();
  if (prepared.kind !== "ready") return prepared;
  const { bootId, uptimeS, rowsBefore, send } = prepared;
  // The uptime was read with the last reading and is older than now, so the deadline can only be too early.
  const deadlineUptime = Math.floor(uptimeS + Math.min(TAP_DEADLINE_MS, gate.remainingMs()) / 1000);
  if (!await gate.beginTapping({ bootId, deadlineUptime, rowsBefore })) return { kind: "taken_back" };
  const answer = await guardedTap(held, send, { bootId, deadlineUptime });
  gate.tapped();
  if (answer === "late") return { kind: "doubt", reason: "tap_too_late", lost: null };
  const evidence = await verifySent(held, account, message, rowsBefore);
  // A tap without an answer may have happened at any time until now: the next tap keeps its distance from now.
  if (answer === "unheard") gate.tapped();
  if (evidence.kind === "sent") {
    if (answer === "tapped") gate.proven?.(held);
    return evidence;
  }
  const { lost, unknown } = evidence;
  return { kind: "doubt", reason: "send_not_verified", lost, ...(unknown ? { unknown } : {}) };
}
