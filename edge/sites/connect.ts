import { AGENT_SUBPROTOCOL, type EdgeFrameOf } from "shared/agent_protocol.ts";
import { EDGE_FEATURES } from "shared/features.ts";
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { readSettings } from "../settings/fleet_settings.ts";
import { readGeneration } from "./generation.ts";

export type WelcomeFrame = EdgeFrameOf<"welcome">;

// No row = the site was revoked. From here on the fence stops every older connection of the site.
const BUMP =
  `UPDATE sites SET epoch = epoch + 1, protocol = :protocol, last_seen_at = :now WHERE id = :site AND revoked = 0
  RETURNING epoch`;

/** Starts a new connection of a site. Returns the first frame to send, or null when the site was revoked. */
export async function connectSite(ctx: EdgeContext, site: number): Promise<WelcomeFrame | null> {
  const now = ctx.now();
  const protocol = AGENT_SUBPROTOCOL;
  const [generation, settings] = await Promise.all([readGeneration(ctx), readSettings(ctx)]);
  const { rows: [row] } = await ctx.db.execute(statement(BUMP, { site, protocol, now }));
  if (row === undefined) return null;
  const epoch = Number(row.epoch);
  return {
    type: "welcome",
    epoch,
    generation,
    serverTime: now,
    settings,
    features: [...EDGE_FEATURES],
    takesReplies: true,
    leasesWithReports: true,
  };
}
