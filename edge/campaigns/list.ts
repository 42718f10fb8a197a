import type { Campaign } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import type { SessionUser } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import type { Fleet } from "./fleet.ts";
import { readShown, type Which } from "./read_shown.ts";
import { viewCampaign } from "./view.ts";

export const LIST_LENGTH = 200;
/** Goes into every tag: raise it when the shape of the answer changes, or browsers would keep the old one. */
const SHAPE = 2;

/** SQL: whoever asks, unless they have seen all there is. */
const UNLESS_SEEN = "(SELECT id FROM users WHERE id = :user AND change_no IS NOT :seen)";
const NEWEST: Which = {
  campaigns: `c.client = ${UNLESS_SEEN} AND c.test_of IS NULL AND c.id < :before
    ORDER BY c.id DESC LIMIT ${LIST_LENGTH}`,
  line: `client = ${UNLESS_SEEN}`,
};
const CHANGE_NO = "SELECT change_no FROM users WHERE id = :user";

export interface ListOptions {
  /** Only campaigns older than this id. */
  before?: number | undefined;
  /** The tag the caller has, from If-None-Match. */
  knownTag?: string | undefined;
}

export interface CampaignList {
  tag: string;
  /** Null when the caller's tag is still right. */
  campaigns: Campaign[] | null;
}

/**
 * The newest campaigns of one person, newest first. The tag holds the id of their last event and what their
 * notices tell of the fleet, so an unchanged list costs two small reads.
 */
export async function listCampaigns(
  ctx: EdgeContext,
  user: SessionUser,
  { before = Number.MAX_SAFE_INTEGER, knownTag = "" }: ListOptions,
): Promise<CampaignList> {
  const begins = `"${SHAPE}-${user.id}-${user.role}-`;
  const read = async (seen: number | null) => {
    const args = { user: user.id, before, seen };
    const { fleet, campaigns, more: [change] } = await readShown(ctx, NEWEST, args, [
      statement(CHANGE_NO, args),
    ]);
    const changeNo = Number(change!.rows[0]!.change_no);
    return { campaigns, changeNo, tag: `${begins}${changeNo}-${fleetTag(fleet)}"` };
  };
  const seen = /^\d+/.exec(knownTag.split(begins)[1] ?? "");
  let list = await read(seen && Number(seen[0]));
  if (listsTag(knownTag, list.tag)) return { tag: list.tag, campaigns: null };
  // They did not move, and so were not read; the fleet did, and their notices tell of it.
  if (seen !== null && list.changeNo === Number(seen[0])) list = await read(null);
  return {
    tag: list.tag,
    campaigns: list.campaigns.map(({ row, notices }) => viewCampaign(row, notices)),
  };
}

/** Only what a notice would say differently. */
function fleetTag({ devices, pictureDevices, awaySites, hours }: Fleet): string {
  const away = awaySites.map((site) => `${site.id}@${site.lastSeenAt}`).join(".");
  const ready = [devices, pictureDevices].flatMap((
    { all, withRoom },
  ) => [all > 0 ? 1 : 0, withRoom > 0 ? 1 : 0]);
  const opens = hours.isOpen
    ? ""
    : `!${hours.opensAt}${Number(hours.marketingKeeps)}${Number(hours.serviceKeeps)}`;
  return `${ready.join("")}${away}${opens}`;
}

/** If-None-Match is `*` or a list of tags, each perhaps weak (RFC 9110 section 13.1.2). */
function listsTag(header: string, tag: string): boolean {
  return header.split(",").some((known) => known.trim() === "*" || known.trim().replace(/^W\//, "") === tag);
}
