/** Runs one worker for each phone, and wakes the workers and loops that a change of a phone concerns. */
import type { AccountState } from "shared/agent_protocol.ts";
import { lostStateToReason } from "../delivery/result_to_event.ts";
import type { ImageStore } from "../edge/images.ts";
import type { GroupCommit } from "../journal/group_commit.ts";
import type { JournalRow } from "../journal/journal.ts";
import { deviceOf } from "../journal/journal_tables.ts";
import type { Phone } from "../phone/phone.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";
import { Bell } from "../time/bell.ts";
import { type Delivered, DeviceWorker } from "./device_worker.ts";
import type { EdgeSession } from "./edge_session.ts";
import type { Site } from "./site.ts";
import { isUnproven, noteProven } from "./canary.ts";
import type { Stills } from "./stills.ts";
import { throwUnlessBroken, unlessBroken } from "./unless_broken.ts";

export interface DeviceWorkersOptions {
  site: Site;
  session: Pick<EdgeSession, "settings">;
  commits: GroupCommit;
  images: ImageStore;
  stills: Pick<Stills, "tapBegins" | "tapOver">;
  /** Rows that an earlier process left in `tapping`. */
  taps: readonly JournalRow[];
}

export class DeviceWorkers {
  #options: DeviceWorkersOptions;
  #workers = new Map<string, { worker: DeviceWorker; bell: Bell; done: Promise<void> }>();

  constructor(options: DeviceWorkersOptions) {
    this.#options = options;
  }

  /** Starts the worker of a phone that is seen for the first time. */
  start(device: string): void {
    const { site, session, commits, images, stills, taps } = this.#options;
    const bell = new Bell();
    const worker = new DeviceWorker(
      {
        ...site,
        device,
        commits,
        images,
        bell,
        paceMs: () => session.settings.rateLimit * 1000,
        onSettled: () => this.#settled(),
        isUnproven: (account) => isUnproven(site, account),
        onProven: (account) => noteProven(site, account),
        onRefused: (account) => this.#refused(account),
        onAccountLost: (account, state) => this.#accountLost(account, state),
        onUnknownScreen: (...seen) => this.#screenUnknown(...seen),
        onCaption: (account, isThere) => site.pool.captionSeen(account, isThere),
        onTap: (isOnItsWay) => isOnItsWay ? stills.tapBegins(device) : stills.tapOver(device),
      },
      taps.filter((row) => deviceOf(row.account) === device),
    );
    const done = worker.run(site.halt).catch((error) => throwUnlessBroken(site.journal.broken, error));
    this.#workers.set(device, { worker, bell, done });
  }

  changed(device: string): void {
    const { site } = this.#options;
    this.wake(device);
    site.inventoryBell.wake();
    site.roomBell.wake();
  }

  lost(device: string): void {
    const { book, journal } = this.#options.site;
    unlessBroken(journal.broken, () => book.giveBack({ device }, "device_offline"));
    this.#settled();
  }

  wake(device: string): void {
    this.#workers.get(device)?.bell.wake();
  }

  /** Wakes every worker, and the loops that report outcomes and lease work. */
  wakeAll(): void {
    for (const { bell } of this.#workers.values()) bell.wake();
    this.#settled();
  }

  /** Runs `act` on a phone between two deliveries; see DeviceWorker.between(). */
  between(device: string, act: (phone: Phone, signal: AbortSignal) => Promise<void>): Promise<void> {
    return this.#workers.get(device)?.worker.between(act) ??
      Promise.reject(new Error(`Cannot reach device "${device}"`));
  }

  /** Resolves when the phone may tap again. */
  async awaitPaceSlot(device: string, signal: AbortSignal): Promise<void> {
    await this.#workers.get(device)?.worker.awaitPaceSlot(signal);
  }

  /** True when the phone has a worker and every tap of it has an outcome. */
  isFreeOfDoubt(device: string): boolean {
    return this.#workers.get(device)?.worker.isInDoubt === false;
  }

  /** Resolves when every worker that has started has ended. */
  async allDone(): Promise<void> {
    await Promise.all([...this.#workers.values()].map(({ done }) => done));
  }

  #accountLost(account: string, state: AccountState): void {
    const { book, inventoryBell, pool, reportedDevices } = this.#options.site;
    pool.accountLost(account, state);
    book.giveBack({ account }, lostStateToReason(state));
    // An edge that is asked for work before it knows of the loss would lease to this account again.
    reportedDevices.delete(deviceOf(account));
    inventoryBell.wake();
  }

  #refused(account: string): void {
    const { inventoryBell, reportedDevices } = this.#options.site;
    // For the same reason.
    reportedDevices.delete(deviceOf(account));
    inventoryBell.wake();
    this.#settled();
  }

  #screenUnknown(account: string, screen: UnknownScreen, delivery: Delivered): void {
    const { book, inventoryBell, keepScreen, pool, reportedDevices, wordsOf } = this.#options.site;
    keepScreen(account, screen, delivery);
    pool.screenUnknown(account, screen, wordsOf(account));
    book.giveBack({ account }, "phone_screen_blocked");
    // As for a lost account: the edge must know before it leases to it again.
    reportedDevices.delete(deviceOf(account));
    inventoryBell.wake();
  }

  #settled(): void {
    const { reportBell, roomBell } = this.#options.site;
    reportBell.wake();
    roomBell.wake();
  }
}
