import type { AgentFrame, EdgeFrame } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { writeBatch } from "../db/write_batch.ts";
import { eraseOwed, noteErased, readErase } from "../privacy/erase_sites.ts";
import { finishCommand } from "../devices/finish_commands.ts";
import { recordInventory } from "../devices/record_inventory.ts";
import { heardAndMark, sealMark } from "../queue/database_mark.ts";
import { type SiteConnection, SupersededError } from "../queue/fence.ts";
import { handleHello } from "./hello.ts";
import { acknowledgeLease } from "../queue/lease_ack.ts";
import { leaseDeliveries } from "../queue/lease.ts";
import { reportOutcomes } from "../queue/report.ts";
import { takeReplies } from "../opt_out/take_replies.ts";
import type { StillFrame } from "../stills/still_desk.ts";
import { drainSite } from "./drain.ts";
import { takeOutcomes } from "./outcomes.ts";

/** The frames that the database answers; the socket itself takes pictures. */
export type HandledFrame = Exclude<AgentFrame, StillFrame>;

/** Handles one frame and returns the frame to send back, or null. @throws SupersededError */
export async function handleFrame(
  ctx: EdgeContext,
  connection: SiteConnection,
  frame: HandledFrame,
): Promise<EdgeFrame | null> {
  switch (frame.type) {
    case "hello":
      return await handleHello(ctx, connection, frame);
    case "pull":
      return await leaseDeliveries(ctx, { ...connection, devices: frame.devices });
    case "leaseAck":
      return await acknowledgeLease(ctx, { ...connection, ...frame });
    case "report":
      return await reportOutcomes(ctx, { ...connection, ...frame });
    case "heartbeat":
      return await answerHeartbeat(ctx, connection, frame.journalCounter);
    case "inventory":
      await recordInventory(ctx, connection, frame);
      return null;
    case "outcomes":
      await takeOutcomes(ctx, connection, frame);
      return { type: "outcomesAck", generation: frame.generation, last: frame.last };
    case "erased":
      await noteErased(ctx, connection, frame.items);
      return null;
    case "inbound":
      if (!await takeReplies(ctx, connection, frame.items)) return null;
      return { type: "inboundAck", ids: frame.items.map(({ id }) => id) };
    case "drain":
      await drainSite(ctx, connection);
      return null;
    case "commandResult":
      await finishCommand(ctx, connection, frame);
      return null;
  }
}

async function answerHeartbeat(
  ctx: EdgeContext,
  connection: SiteConnection,
  journalCounter: number,
): Promise<EdgeFrame> {
  const now = ctx.now();
  const { owed, given } = await writeBatch(ctx.db, {
    owed: eraseOwed(connection.site),
    given: heardAndMark(connection, now, journalCounter),
  });
  if (given.rows.length === 0) throw new SupersededError(connection);
  // An erase frame replaces the acknowledgement: it proves a live socket too. A site that cannot erase yet gets it again.
  const answer = readErase(ctx, owed) ?? { type: "heartbeatAck", serverTime: now };
  return { ...answer, ...sealMark(ctx, given) };
}
