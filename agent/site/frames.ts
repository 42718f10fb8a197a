/** Acts on each frame of the edge. */
import type { AgentFrame, EdgeFrame } from "shared/agent_protocol.ts";
import type { EdgeLink } from "../edge/edge_connection.ts";
import type { GroupCommit } from "../journal/group_commit.ts";
import type { LeaseFrame } from "../journal/journal.ts";
import { runDeviceCommand } from "./device_command.ts";
import type { DeviceWorkers } from "./device_workers.ts";
import type { EdgeClock } from "./edge_clock.ts";
import type { EdgeSession } from "./edge_session.ts";
import { reportErased } from "./erase.ts";
import { outcomeFrames } from "./outcomes.ts";
import type { Site } from "./site.ts";
import type { Stills } from "./stills.ts";
import { followStops } from "./stop_device.ts";
import { throwUnlessBroken } from "./unless_broken.ts";

export interface FramesOptions {
  site: Site;
  session: EdgeSession;
  edgeClock: EdgeClock;
  workers: DeviceWorkers;
  commits: GroupCommit;
  stills: Stills;
  agentVersion: string;
}

export class Frames {
  #options: FramesOptions;
  /** Phones that a command stopped or started between the hello of this connection and its answer. */
  #commanded = new Set<string>();
  /** The outcomes that a restored database still has to receive on this connection. */
  #outcomes: Iterator<AgentFrame> | null = null;

  constructor(options: FramesOptions) {
    this.#options = options;
  }

  onFrame(frame: EdgeFrame, from: EdgeLink): void {
    const { site, session, edgeClock, workers, agentVersion } = this.#options;
    const { book, journal } = site;
    session.noteFrame();
    switch (frame.type) {
      case "welcome": {
        const features = session.welcomed(frame, from);
        edgeClock.learn(frame.serverTime);
        this.#commanded.clear();
        from.send(book.connectionOpened(frame.epoch, agentVersion, features));
        return;
      }
      case "helloAck":
        if (!book.helloAcked(frame)) return;
        session.opened();
        site.askedUntil.clear();
        if (frame.stopped) followStops(site, frame.stopped, this.#commanded);
        if (journal.answeredGeneration !== session.generation) {
          this.#outcomes = outcomeFrames(journal, session.generation);
          this.#sendOutcomes();
        }
        site.inventoryBell.wake();
        site.replyBell.wake();
        return workers.wakeAll();
      case "outcomesAck":
        if (frame.last) {
          journal.setAnsweredGeneration(frame.generation);
          site.reportBell.wake();
          site.replyBell.wake();
        }
        return this.#sendOutcomes();
      case "lease":
        return this.#takeLease(frame, from);
      case "go":
        if (frame.serverTime !== undefined) edgeClock.learn(frame.serverTime);
        // Ring these devices only: the others would wake many times a second for no work.
        for (const device of book.goReceived(frame)) workers.wake(device);
        return site.roomBell.wake();
      case "reportAck":
        book.reportAcked(frame);
        site.reportBell.wake();
        if (frame.lease) return this.#takeLease(frame.lease, from);
        // An edge that does not lease with reports saw no room before this report, so ask it again.
        if (!site.edgeCan("leases_with_reports")) site.askedUntil.clear();
        return site.roomBell.wake();
      case "inboundAck":
        journal.repliesAcknowledged(frame.ids);
        return site.replyBell.wake();
      case "recall":
        book.recalled(frame.items);
        return workers.wakeAll();
      case "settings":
        session.settings = frame.settings;
        return workers.wakeAll();
      case "workWaiting":
        site.askedUntil.clear();
        return site.roomBell.wake();
      case "superseded":
        site.log("warn", "edge_superseded", { epoch: frame.epoch });
        return from.close("superseded");
      case "command":
        if (!book.isReady && (frame.kind === "stop" || frame.kind === "start")) {
          this.#commanded.add(frame.device);
        }
        return void runDeviceCommand(site, frame);
      case "still":
        return this.#options.stills.asked(frame);
      case "stillOver":
        return this.#options.stills.over(frame.id);
      case "erase":
        journal.noteDatabaseMark(frame.mark);
        return void reportErased(site, frame.items);
      case "heartbeatAck":
        journal.noteDatabaseMark(frame.mark);
        return edgeClock.learn(frame.serverTime);
    }
  }

  /** Called when the connection has ended. The next one starts with a new hello. */
  onEnd(): void {
    const { site, session, stills } = this.#options;
    session.ended();
    stills.connectionOver();
    this.#outcomes = null;
    site.reportedDevices.clear();
    site.book.connectionOver();
    site.reportBell.wake();
  }

  #takeLease(lease: LeaseFrame, from: EdgeLink): void {
    const { broken } = this.#options.site.journal;
    void this.#writeLease(lease, from).catch((error) => throwUnlessBroken(broken, error));
  }

  async #writeLease(lease: LeaseFrame, from: EdgeLink): Promise<void> {
    const { site, session, commits } = this.#options;
    const ack = await commits.run(() => {
      // The connection may have ended while the group was gathered. Its lease then no longer belongs to this site.
      if (session.link !== from) return null;
      return site.book.leased(lease);
    });
    // Read the counter after the group is written: it rises only then.
    if (ack) from.send({ type: "leaseAck", token: lease.token, journalCounter: site.journal.counter });
    // The lease was for one campaign. Another one may have work for the devices that it left out, so ask for them
    // again. Ask only after the lease is in the book: before that, the book shows room that the lease fills.
    site.askedUntil.clear();
    site.roomBell.wake();
  }

  #sendOutcomes(): void {
    const next = this.#outcomes?.next();
    if (next && !next.done) this.#options.site.send(next.value);
  }
}
