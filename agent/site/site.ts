/** The state that the loops share. */
import type { AgentFrame } from "shared/agent_protocol.ts";
import type { EdgeFeature } from "shared/features.ts";
import { Bell } from "../time/bell.ts";
import type { Clock } from "../time/clock.ts";
import type { Delivered } from "./device_worker.ts";
import { DevicePool } from "../devices/device_pool.ts";
import type { Journal } from "../journal/journal.ts";
import { LeaseBook } from "./lease_book.ts";
import type { Log } from "../log.ts";
import type { Phone } from "../phone/phone.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";
import type { ScreenWords } from "../screens/screen_words.ts";

export interface Site {
  book: LeaseBook;
  journal: Journal;
  pool: DevicePool;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Sends a frame on the present connection. Returns false when there is none. */
  send(frame: AgentFrame): boolean;
  /** Returns the edge's time, or null before the edge has sent it. */
  edgeNow(): number | null;
  /** Aborts when the site must end. */
  halt: AbortSignal;
  /** Runs `act` on a phone between two deliveries; see DeviceWorker.between(). */
  between(device: string, act: (phone: Phone, signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Returns what is known about the screens of an account, by the files of now. */
  wordsOf(account: string): ScreenWords;
  /** Keeps a recording of a screen that no file knows, and what was to be sent on it; once for each such screen. */
  keepScreen(account: string, screen: UnknownScreen, delivery: Delivered): void;
  /** True when a device may get work. */
  takesWork(device: string): boolean;
  /** True when the device has a worker and every tap of it has an outcome. */
  isFreeOfDoubt(device: string): boolean;
  /** Resolves when the device may tap again, or the signal aborts. */
  awaitPaceSlot(device: string, signal: AbortSignal): Promise<void>;
  /** True while an app of the device has a version that came by an update and is not proven here. */
  isCanary(device: string): boolean;
  /** Devices that a person's rehearsal has, or waits for: they get no work. */
  lent: Set<string>;
  /** Rings when there may be something to lease, or there is new room. */
  roomBell: Bell;
  /** Devices that were asked for, and the monotonic time until which each waits for the answer. */
  askedUntil: Map<string, number>;
  /** Returns whether the present edge may receive outcomes. One with a restored database receives the archive first. */
  mayReport(): boolean;
  /** Rings when there is an outcome to report, it may be reported, or a report was acknowledged. */
  reportBell: Bell;
  /** Returns whether the edge of the present connection has the feature. */
  edgeCan(feature: EdgeFeature): boolean;
  /** Devices in the inventory of this connection: the edge leases to no others. */
  reportedDevices: Set<string>;
  /** Rings when phones or accounts changed. */
  inventoryBell: Bell;
  /**
   * Returns whether the edge of the present connection takes replies. One with a restored database needs the outcomes
   * first, to find the message that a reply answers.
   */
  takesReplies(): boolean;
  /** Rings when there is a reply to send, or the edge can take replies. */
  replyBell: Bell;
}
