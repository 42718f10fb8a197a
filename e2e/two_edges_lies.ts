/** Late frames of sites, on connections that were superseded unnoticed, and the traces they would leave. */
import type { AgentFrame } from "shared/agent_protocol.ts";
import type { Held, ScriptedSite } from "./two_edges_site.ts";
import type { World } from "./two_edges_world.ts";

/** Kinds of frames that change data; a liar sends each of them too late. */
export const LIES = ["report", "leaseAck", "pull", "inventory", "outcomes", "heartbeat", "drain"] as const;
/** Values that only stale frames contain. */
const STALE = { tappedAt: 86_400_000, journalCounter: 1_000_000_000, device: "ghost", token: "f".repeat(32) };

export interface Liars {
  liar: ScriptedSite;
  held: Held[];
  confirmer: ScriptedSite;
  offered: Held[];
  campaign: number;
}

/** Returns each liar's frame on its superseded connection, in the order of LIES; none of it is true. */
export function lies(world: World, { liar, held, confirmer, offered, campaign }: Liars): AgentFrame[] {
  const { tappedAt, journalCounter, token, device } = STALE;
  const [{ generation }] = world.query<{ generation: string }>(
    "SELECT value AS generation FROM system WHERE key = 'generation'",
  );
  const [{ phone }] = world.query<{ phone: number }>(
    "SELECT phone FROM deliveries WHERE campaign = ? AND state = 'queued' ORDER BY id DESC LIMIT 1",
    campaign,
  );
  const untouched = { campaign, phone: `+${phone}`, token, attempt: 1, account: null };
  const frames: Record<(typeof LIES)[number], AgentFrame> = {
    report: liar.report(held, "failed", { tappedAt }),
    leaseAck: confirmer.leaseAck(offered[0].token),
    pull: liar.pull(),
    inventory: liar.inventory(device),
    outcomes: {
      type: "outcomes",
      generation,
      items: [{ ...untouched, outcome: "sent", at: tappedAt }],
      last: true,
    },
    heartbeat: heartbeat(journalCounter),
    drain: { type: "drain" },
  };
  return LIES.map((lie) => frames[lie]);
}

export function heartbeat(journalCounter: number): AgentFrame {
  return { type: "heartbeat", journalCounter, at: Date.now() };
}

/** Returns how often the database contains values of stale frames. */
export function readTraces(world: World): Record<string, number> {
  const { tappedAt, journalCounter, device, token } = STALE;
  const count = (sql: string, ...args: (string | number)[]) =>
    world.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`, ...args)[0].n;
  return {
    moves: count("witness_moves WHERE tapped_at = ? OR token = ?", tappedAt, token),
    attempts: count("attempts WHERE tapped_at = ? OR token = ?", tappedAt, token),
    devices: count("devices WHERE key = ?", device),
    counters: count("sites WHERE journal_counter >= ?", journalCounter),
    draining: count("sites WHERE draining = 1"),
  };
}
