/**
 * One connection of a site to an edge, with the frames on their way: steps decide which are lost, repeated, late
 * or reordered.
 */
import type { EdgeProcess } from "./edge.ts";

/** Copies kept of one direction; the oldest is dropped first. */
const MAX_COPIES = 8;

/** One direction of a connection. */
class Pipe<T> {
  #waiting: T[] = [];
  #copies: T[] = [];
  #isNew = true;

  get size(): number {
    return this.#waiting.length + this.#copies.length;
  }

  push(frame: T): void {
    this.#waiting.push(frame);
  }

  /** Takes the next frame, the one at `index`, or a copy of an earlier frame; `echoes` = keeps a copy of it. */
  take(index?: number, echoes = false): T | undefined {
    // A welcome or a hello is the first frame of its direction, and comes once; every real socket guarantees that.
    const isFirst = this.#isNew;
    const at = isFirst || index === undefined ? 0 : index % this.size;
    if (at >= this.#waiting.length) {
      return index === undefined ? undefined : this.#copies[at - this.#waiting.length];
    }
    const [frame] = this.#waiting.splice(at, 1);
    this.#isNew = false;
    if (echoes && !isFirst) this.#copies = [...this.#copies, frame!].slice(-MAX_COPIES);
    return frame;
  }

  clear(): void {
    this.#waiting = [];
    this.#copies = [];
  }
}

export class Link {
  readonly toAgent = new Pipe<Uint8Array<ArrayBuffer>>();
  readonly toEdge = new Pipe<{ type: string; bytes: Uint8Array<ArrayBuffer> }>();
  /** False once the site has dropped it; the edge may not know. */
  isAgentHere = true;
  readonly socket = new EdgeSocket(this);

  constructor(readonly site: number, readonly edge: EdgeProcess) {}

  get isOver(): boolean {
    return !this.isAgentHere && this.socket.readyState !== WebSocket.OPEN;
  }
}

/** The edge's end, with the parts of a WebSocket that the agents' endpoint uses. */
class EdgeSocket {
  readyState: number = WebSocket.OPEN;
  bufferedAmount = 0;
  binaryType = "blob";
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: ArrayBuffer }) => void) | null = null;
  onclose: ((event: { code: number; wasClean: boolean }) => void) | null = null;
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.readyState === WebSocket.OPEN) this.#link.toAgent.push(bytes);
  }

  close(code = 1006): void {
    if (this.readyState !== WebSocket.OPEN) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code, wasClean: this.#link.isAgentHere });
  }
}
