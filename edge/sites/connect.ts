import { and, eq, sql } from "drizzle-orm";
import { AGENT_SUBPROTOCOL, type EdgeFrameOf } from "shared/agent_protocol.ts";
import { EDGE_FEATURES } from "shared/features.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { readSettings } from "../settings/fleet_settings.ts";
import { readGeneration } from "./generation.ts";

export type WelcomeFrame = EdgeFrameOf<"welcome">;

/** Starts a new connection of a site. Returns the first frame to send, or null when the site was revoked. */
export async function connectSite(ctx: EdgeContext, site: number): Promise<WelcomeFrame | null> {
  const now = ctx.now();
  const [generation, settings] = await Promise.all([readGeneration(ctx), readSettings(ctx)]);
  // No row = the site was revoked. From here on the fence stops every older connection of the site.
  const { rows: [row] } = await execute(
    ctx.db,
    query.update(sites)
      .set({ epoch: sql`${sites.epoch} + 1`, protocol: AGENT_SUBPROTOCOL, lastSeenAt: now })
      .where(and(eq(sites.id, site), eq(sites.revoked, false))).returning({ epoch: sites.epoch }),
  );
  if (row === undefined) return null;
  return {
    type: "welcome",
    epoch: row.epoch,
    generation,
    serverTime: now,
    settings,
    features: [...EDGE_FEATURES],
    takesReplies: true,
    leasesWithReports: true,
  };
}
