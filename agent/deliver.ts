/** One delivery on one account of one phone, from waking it to the proof. No network, no journal of its own. */
import type { DeliveryReason } from "shared/delivery.ts";
import { TAP_DEADLINE_MS } from "shared/lease.ts";
import type { TapIntent } from "./phone/tap_intent.ts";
import type { LostState } from "./phone/await_screen.ts";
import { guardedTap } from "./phone/guarded_tap.ts";
import type { AppAccount, Phone } from "./phone/phone.ts";
import { type Message, prepare } from "./phone/prepare.ts";
import { verifySent } from "./phone/verify_sent.ts";

export type DeliveryResult =
  | { kind: "sent" }
  | { kind: "not_on_app" }
  /** Not tapped, for a passing cause. */
  | { kind: "not_ready"; reason: DeliveryReason }
  /** Not tapped: the account cannot send any more. */
  | { kind: "lost"; state: LostState }
  /** Not tapped: the work was taken back meanwhile. */
  | { kind: "taken_back" }
  /** Tapped, or perhaps: only a look after the deadline can tell. */
  | { kind: "doubt"; reason: DeliveryReason; lost: LostState | null };

export interface DeliveryGate {
  /** Waits for the device's turn, which may be a second or two away. */
  awaitTurn(): Promise<void>;
  /** Milliseconds within which the tap must happen; 0 = not at all. */
  remainingMs(): number;
  /** Writes the intent to disk; false = the work was taken back, and nothing may be tapped. */
  beginTapping(tap: TapIntent): Promise<boolean>;
  /** The tap command has come back. */
  tapped(): void;
}

/**
 * Sends one message. Everything before `beginTapping` may be tried again, nothing after it.
 *
 * @throws {AdbError} when the phone is lost before the tap
 */
export async function deliver(
  phone: Phone,
  account: AppAccount,
  message: Message,
  gate: DeliveryGate,
  signal?: AbortSignal,
): Promise<DeliveryResult> {
  const prepared = await prepare(phone, account, message, signal);
  if (prepared.kind !== "ready") return prepared;
  await gate.awaitTurn();
  const { bootId, uptimeS, rowsBefore, send } = prepared;
  // The uptime was read with the last look and is older than now: the deadline can only be too early.
  const deadlineUptime = Math.floor(uptimeS + Math.min(TAP_DEADLINE_MS, gate.remainingMs()) / 1000);
  if (!await gate.beginTapping({ bootId, deadlineUptime, rowsBefore })) return { kind: "taken_back" };
  const answer = await guardedTap(phone, send, { bootId, deadlineUptime });
  gate.tapped();
  if (answer === "late") return { kind: "doubt", reason: "tap_too_late", lost: null };
  const proof = await verifySent(phone, account, message, rowsBefore);
  if (proof.kind === "sent") return proof;
  return { kind: "doubt", reason: "send_not_verified", lost: proof.lost };
}
