/** The site's knowledge of the edge: the present connection, and the content of the last welcome. */
import type { AgentFrame, EdgeFrameOf } from "shared/agent_protocol.ts";
import type { EdgeFeature } from "shared/features.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import type { EdgeLink } from "../edge/edge_connection.ts";
import { edgeFeatures } from "../edge/edge_features.ts";
import type { EdgeLost } from "../edge/edge_lost.ts";
import type { Clock } from "../time/clock.ts";
import type { Worksite } from "./site_status.ts";

type Welcome = EdgeFrameOf<"welcome">;

export class EdgeSession {
  settings = DEFAULT_SETTINGS;
  /** The generation of the edge's database; "" before the first welcome. */
  generation = "";
  /** The present connection, from its welcome until it ends. */
  link: EdgeLink | null = null;
  readonly status: Worksite["edge"] = { isConnected: false, since: null, heardAt: null, why: null };
  #features: ReadonlySet<EdgeFeature> = new Set();
  #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sends on the present connection. Returns false when there is none. */
  send(frame: AgentFrame): boolean {
    return this.link?.send(frame) ?? false;
  }

  can(feature: EdgeFeature): boolean {
    return this.#features.has(feature);
  }

  noteFrame(): void {
    this.status.heardAt = this.#clock.now();
  }

  /** Takes over a welcome, and returns the features of this edge. */
  welcomed(frame: Welcome, link: EdgeLink): ReadonlySet<EdgeFeature> {
    this.link = link;
    this.settings = frame.settings;
    this.generation = frame.generation;
    this.#features = edgeFeatures(frame);
    return this.#features;
  }

  opened(): void {
    Object.assign(this.status, { isConnected: true, since: this.#clock.now(), why: null });
  }

  ended(): void {
    if (this.status.isConnected) Object.assign(this.status, { isConnected: false, since: this.#clock.now() });
    this.link = null;
  }

  lost({ cause, why }: EdgeLost): void {
    this.status.why = cause === "unknown" ? why : `${cause} (${why})`;
  }
}
