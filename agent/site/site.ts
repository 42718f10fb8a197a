/** What the loops share. */
import type { AgentFrame } from "shared/agent_protocol.ts";
import type { EdgeFeature } from "shared/features.ts";
import { Bell } from "../time/bell.ts";
import type { Clock } from "../time/clock.ts";
import { DevicePool } from "../devices/device_pool.ts";
import type { Journal } from "../journal/journal.ts";
import { LeaseBook } from "./lease_book.ts";
import type { Log } from "../log.ts";
import type { Phone } from "../phone/phone.ts";

export interface Site {
  book: LeaseBook;
  journal: Journal;
  pool: DevicePool;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Says a frame on the present connection; false when there is none. */
  say(frame: AgentFrame): boolean;
  /** What time it is at the edge, or null while it has not said so. */
  edgeNow(): number | null;
  /** Aborts when the site is to end. */
  halt: AbortSignal;
  /** Runs `act` on a phone between two deliveries; see DeviceWorker.between(). */
  between(device: string, act: (phone: Phone, signal: AbortSignal) => Promise<void>): Promise<void>;
  /** True when a device may be given work. */
  takesWork(device: string): boolean;
  /** Something may be leased, or room was made. */
  roomBell: Bell;
  /** Devices that were asked for, and the monotonic time until which the answer is waited for. */
  askedUntil: Map<string, number>;
  /** Whether the present edge may hear of outcomes: one with a restored database is told its past first. */
  mayReport(): boolean;
  /** There is an outcome to report, it may be reported, or a report was acknowledged. */
  reportBell: Bell;
  /** Whether the edge of the present connection has the feature. */
  edgeCan(feature: EdgeFeature): boolean;
  /** Devices the edge has heard of on this connection: it leases to no others. */
  toldDevices: Set<string>;
  /** Phones or accounts changed. */
  inventoryBell: Bell;
  /**
   * Whether the edge of the present connection takes replies. One with a restored database finds whom a reply answers
   * only once it was told the outcomes.
   */
  takesReplies(): boolean;
  /** There is a reply to tell, or the edge can be told. */
  replyBell: Bell;
}
