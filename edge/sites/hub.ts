/** The agents connected to this instance; sends them the events that the outbox holds for their sites. */
import { CLOSE, COMMAND_KINDS, type EdgeFrame, tokenPhonesSchema } from "shared/agent_protocol.ts";
import type { AgentFeature } from "shared/features.ts";
import { settingsSchema } from "shared/settings.ts";
import { z } from "zod";
import type { EventRow } from "../live/tail.ts";

/** An agent's socket, as the hub uses it. */
export interface AgentConnection {
  readonly site: number;
  readonly epoch: number;
  /** True after hello was handled; no frame about deliveries is sent before. */
  readonly isReady: boolean;
  /** What the agent can do, by its hello. */
  readonly features: ReadonlySet<AgentFeature>;
  send(frame: EdgeFrame): void;
  close(code: number, reason: string): void;
}

export interface AgentHub {
  /** Adds a connection and ends the site's older one; returns false if a newer one is already here. */
  add(connection: AgentConnection): boolean;
  remove(connection: AgentConnection): void;
  /** Returns the connection of a site to this instance. */
  find(site: number): AgentConnection | undefined;
  /** Returns the epoch of the site's last connection to this instance, also after its end; 0 = none so far. */
  lastEpochOf(site: number): number;
  /** Sends an event to its agents: rows with a `site` to that site, and `workWaiting` to all. */
  deliver(row: Pick<EventRow, "type" | "site" | "data">): void;
  /** Closes every socket, because the server is shutting down. */
  closeAll(): void;
  readonly size: number;
}

/** RFC 6455 section 7.4.1. */
const GOING_AWAY = 1001;

const commandSchema = z.object({ id: z.int(), kind: z.enum(COMMAND_KINDS), device: z.string() });

export function createAgentHub(): AgentHub {
  const connections = new Map<number, AgentConnection>();
  const lastEpochs = new Map<number, number>();

  function add(connection: AgentConnection): boolean {
    const present = connections.get(connection.site);
    if (present && present.epoch > connection.epoch) {
      endSuperseded(connection, present.epoch);
      return false;
    }
    connections.set(connection.site, connection);
    lastEpochs.set(connection.site, connection.epoch);
    if (present) endSuperseded(present, connection.epoch);
    return true;
  }

  function remove(connection: AgentConnection): void {
    if (connections.get(connection.site) === connection) connections.delete(connection.site);
  }

  function deliver({ type, site, data }: Pick<EventRow, "type" | "site" | "data">): void {
    const audience = site === null ? [...connections.values()] : [connections.get(site)];
    for (const connection of audience) {
      if (connection === undefined) continue;
      if (type === "revoke") connection.close(CLOSE.revoked, "revoked");
      else if (connection.isReady) send(connection, type, data);
    }
  }

  return {
    add,
    remove,
    find: (site) => connections.get(site),
    lastEpochOf: (site) => lastEpochs.get(site) ?? 0,
    deliver,
    closeAll: () => [...connections.values()].forEach((one) => one.close(GOING_AWAY, "server stops")),
    get size() {
      return connections.size;
    },
  };
}

/** Ends a connection whose site has a newer one. */
export function endSuperseded(connection: AgentConnection, epoch: number): void {
  connection.send({ type: "superseded", epoch });
  connection.close(CLOSE.superseded, "superseded");
}

function send(connection: AgentConnection, type: string, data: string): void {
  switch (type) {
    case "workWaiting":
      return connection.send({ type });
    case "recall":
      return connection.send({ type, items: [tokenPhonesSchema.parse(JSON.parse(data))] });
    case "settings":
      return connection.send({ type, settings: settingsSchema.parse(JSON.parse(data)) });
    case "command":
      return connection.send({ type, ...commandSchema.parse(JSON.parse(data)) });
  }
}
