import type { Campaign } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { condition, rowsAs } from "../db/query.ts";
import { users } from "../db/schema.ts";
import type { Caller } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import type { Fleet } from "./fleet.ts";
import { readShown, type Which } from "./read_shown.ts";
import { viewCampaign } from "./view.ts";

export const LIST_LENGTH = 200;
/** Part of every tag. Raise it when the shape of the response changes, otherwise browsers keep the old response. */
const SHAPE = 3;

/** SQL: the client's id, or nothing when the caller's copy is current. */
const UNLESS_SEEN = "(SELECT id FROM users WHERE id = :client AND change_no IS NOT :seen)";
const NEWEST: Which = {
  campaigns: `c.client = ${UNLESS_SEEN} AND c.test_of IS NULL AND c.carrier_until IS NULL AND c.id < :before
    ORDER BY c.id DESC LIMIT ${LIST_LENGTH}`,
  line: `client = ${UNLESS_SEEN}`,
};
const CHANGE_NO = `SELECT change_no, EXISTS (
    SELECT 1 FROM campaigns WHERE client = :client AND status IN ('processing', 'active') AND carrier_until IS NULL) AS running
  FROM users WHERE id = :client`;
/** Estimates and stalls of running campaigns change with the time alone: their list is read again this often. */
const RUNNING_MS = 30_000;

export interface ListOptions {
  /** Only campaigns older than this id. */
  before?: number | undefined;
  /** The caller's tag, from If-None-Match. */
  knownTag?: string | undefined;
}

export interface CampaignList {
  tag: string;
  /** Null when the caller's tag is still current. */
  campaigns: Campaign[] | null;
}

/**
 * Returns the newest campaigns of one client, newest first. The tag holds the id of the last event and the fleet state
 * that the notices show. An unchanged list costs two small reads.
 */
export async function listCampaigns(
  ctx: EdgeContext,
  user: Caller,
  { before = Number.MAX_SAFE_INTEGER, knownTag = "" }: ListOptions,
): Promise<CampaignList> {
  const begins = `"${SHAPE}-${user.client}-${user.role}-`;
  const read = async (seen: number | null) => {
    const args = { client: user.client, before, seen };
    const { fleet, campaigns, more: [change] } = await readShown(ctx, NEWEST, args, [
      statement(CHANGE_NO, args),
    ]);
    const { changeNo, running } = rowsAs(change!, { changeNo: users.changeNo, running: condition })[0]!;
    const age = running ? Math.floor(ctx.now() / RUNNING_MS) : "";
    return { campaigns, changeNo, tag: `${begins}${changeNo}-${age}-${fleetTag(fleet)}"` };
  };
  const seen = /^\d+/.exec(knownTag.split(begins)[1] ?? "");
  let list = await read(seen && Number(seen[0]));
  if (listsTag(knownTag, list.tag)) return { tag: list.tag, campaigns: null };
  // The campaigns did not change and were not read, but the fleet changed, and the notices show it.
  if (seen !== null && list.changeNo === Number(seen[0])) list = await read(null);
  return {
    tag: list.tag,
    campaigns: list.campaigns.map((shown) => viewCampaign(ctx, shown)),
  };
}

/** Returns only the parts of the fleet's state that change a notice. */
function fleetTag(fleet: Fleet): string {
  const { devices, pictureDevices, triedDevices, triedPictureDevices, awaySites, hours, noDeviceCause } =
    fleet;
  const away = awaySites.map((site) => `${site.id}@${site.lastSeenAt}`).join(".");
  const ready = [devices, pictureDevices, triedDevices, triedPictureDevices]
    .flatMap(({ all, withRoom }) => [all > 0 ? 1 : 0, withRoom > 0 ? 1 : 0]);
  const opens = hours.isOpen
    ? ""
    : `!${hours.opensAt}${Number(hours.marketingKeeps)}${Number(hours.serviceKeeps)}`;
  return `${ready.join("")}${devices.all > 0 ? "" : noDeviceCause}${away}${opens}`;
}

/** If-None-Match is `*` or a list of tags, each possibly weak (RFC 9110 section 13.1.2). */
function listsTag(header: string, tag: string): boolean {
  return header.split(",").some((known) => known.trim() === "*" || known.trim().replace(/^W\//, "") === tag);
}
