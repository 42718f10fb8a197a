/** What a live event changes on the screen: edits under the features' own query keys, and at most one toast. */
import type { Query, QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";
import type { ActivityItem } from "shared/activity.ts";
import type { ActivityPage, AdminCampaign, AdminCampaignPage } from "shared/admin_api.ts";
import type { Campaign, User } from "shared/http_api.ts";
import type { CampaignEventData, LiveEvent } from "shared/live_event.ts";
import { campaignQuery } from "../features/campaigns/get_campaign.ts";
import { campaignsQuery } from "../features/campaigns/get_campaigns.ts";
import { isRunning } from "../features/campaigns/is_running.ts";
import { currentUserQuery } from "../features/session/current_user.ts";
import { CAMPAIGN } from "../features/campaigns/text/campaign.ts";

/**
 * Change what the cache holds under a key, or under all that begin with it; or ask the server again for a key or for
 * all that begin with it. "joining" does not break off a question already under way: the fleet speaks so often
 * that its lists would never arrive. `isToldAgain` = the next event tells the same anew, soon.
 */
export type CacheEdit =
  | { queryKey: QueryKey; change: (held: unknown) => unknown; isToldAgain?: boolean }
  | { queryKey: QueryKey; changeBelow: (held: unknown) => unknown; isToldAgain?: boolean }
  | { queryKey: QueryKey; refetch: "exact" | "below" | "joining" };

/** Under this key lie the newest lines of the activity feed, newest first. */
const ACTIVITY_FEED_KEY = ["/api/admin/activity"];
const FEED_LINES = 50;

const SUPPRESSIONS_AGAIN: CacheEdit = { queryKey: ["/api/suppressions"], refetch: "joining" };

/** The edits an event asks for; nothing is touched that the cache does not hold. */
export function editsFor(event: LiveEvent): CacheEdit[] {
  switch (event.type) {
    case "campaign_progress":
      return figuresOf(event.data);
    case "campaign_started":
    case "campaign_completed":
    case "campaign_ended":
    case "campaign_paused":
      return [...figuresOf(event.data), ...refreshOf(event.data.campaignId)];
    case "client_campaign":
      return [{
        queryKey: ["/api/admin/campaigns"],
        changeBelow: withFiguresOf(event.data),
        isToldAgain: isRunning(event.data.status),
      }];
    case "campaign_changed":
      return [...refreshOf(event.data.campaignId), SUPPRESSIONS_AGAIN];
    case "import_progress": {
      const { campaignId, done } = event.data;
      const files: CacheEdit = { queryKey: ["/api/admin/files"], refetch: "joining" };
      if (campaignId !== null) return [...refreshOf(campaignId), files];
      return done ? [files, SUPPRESSIONS_AGAIN] : [files];
    }
    case "quota_changed": {
      const { messageQuota } = event.data;
      return [
        {
          queryKey: currentUserQuery.queryKey,
          change: (held) => held ? { ...held as User, messageQuota } : held,
        },
        { queryKey: ["/api/users"], refetch: "below" },
      ];
    }
    case "device_changed":
    case "account_changed":
      return FLEET_KEYS.map((path) => ({ queryKey: [path], refetch: "joining" }));
    case "activity":
      return [
        { queryKey: ACTIVITY_FEED_KEY, change: (held) => withLine(held, event.data) },
        ...(event.data.code.startsWith("suppressions_") ? [SUPPRESSIONS_AGAIN] : []),
      ];
    case "alert":
      return [{ queryKey: ["/api/admin/alerts"], refetch: "joining" }];
  }
}

/** The toast an event calls for, if any. */
export function toastFor(event: LiveEvent): { title: string; description: string } | undefined {
  if (event.type === "campaign_started") {
    return { title: CAMPAIGN.startedTitle, description: CAMPAIGN.started(event.data.totalContacts) };
  }
  if (event.type === "campaign_completed") {
    return { title: CAMPAIGN.completedTitle, description: CAMPAIGN.completed };
  }
}

/** Carries out edits on a query cache. */
export function applyEdits(cache: QueryClient, edits: CacheEdit[]): void {
  for (const edit of edits) {
    const { queryKey } = edit;
    if ("refetch" in edit && edit.refetch !== "joining") {
      void cache.invalidateQueries({ queryKey, exact: edit.refetch === "exact" });
      continue;
    }
    askBehind(
      cache,
      { queryKey, exact: "change" in edit },
      "isToldAgain" in edit && edit.isToldAgain === true,
    );
    if ("change" in edit) cache.setQueryData(queryKey, edit.change);
    else if ("changeBelow" in edit) cache.setQueriesData({ queryKey }, edit.changeBelow);
    else void cache.invalidateQueries({ queryKey }, JOINING);
  }
}

const JOINING = { cancelRefetch: false };

/** What is asked for the second time. */
const askedBehind = new WeakSet<Query>();

/**
 * Asks once more behind the questions under way: the server may have answered them before what the event tells, and
 * such an answer would put the old state back on the screen. However often this is called meanwhile, one follows.
 * What is told again is not asked behind what was itself asked behind another: a campaign at work speaks so often that
 * its figures would be asked for without end.
 */
function askBehind(
  cache: QueryClient,
  key: Pick<QueryFilters, "queryKey" | "exact">,
  isToldAgain: boolean,
): void {
  const underWay = cache.getQueryCache().findAll({ ...key, type: "active", fetchStatus: "fetching" })
    .filter((query) => !isToldAgain || !askedBehind.has(query));
  if (underWay.length === 0) return;
  void Promise.allSettled(underWay.map(({ promise }) => promise)).then(async () => {
    for (const query of underWay) askedBehind.add(query);
    const predicate = (query: Query) => underWay.includes(query);
    await cache.refetchQueries({ ...key, type: "active", predicate }, JOINING);
    for (const query of underWay) askedBehind.delete(query);
  });
}

/** What shows devices, accounts or where they are. */
const FLEET_KEYS = ["/api/devices/adb-status", "/api/admin/devices", "/api/admin/sites", "/api/admin/risk"];

/** Events carry absolute figures, so the newest one simply replaces what is held. */
function figuresOf(data: CampaignEventData): CacheEdit[] {
  const { campaignId } = data;
  const isToldAgain = isRunning(data.status);
  return [
    {
      queryKey: campaignsQuery.queryKey,
      change: (held) => (held as Campaign[] | undefined)?.map((campaign) => withFigures(campaign, data)),
      isToldAgain,
    },
    {
      queryKey: campaignQuery(campaignId).queryKey,
      change: (held) => held && withFigures(held as Campaign, data),
      isToldAgain,
    },
  ];
}

function withFigures<Held extends { id: number }>(campaign: Held, data: CampaignEventData): Held {
  const { campaignId, name, status, totalContacts, sentCount, counts, completedAt } = data;
  if (campaign.id !== campaignId) return campaign;
  return { ...campaign, name, status, totalContacts, sentCount, counts, completedAt };
}

/** The same for administrators, who hold one campaign, or pages of them, under each filter. */
function withFiguresOf(data: CampaignEventData): (held: unknown) => unknown {
  return (held) => {
    if (typeof held !== "object" || held === null) return held;
    if (!("pages" in held)) return withFigures(held as AdminCampaign, data);
    const pages = (held.pages as AdminCampaignPage[]).map((page) => ({
      ...page,
      items: page.items.map((campaign) => withFigures(campaign, data)),
    }));
    return { ...held, pages };
  };
}

function withLine(held: unknown, line: ActivityItem): unknown {
  const page = held as ActivityPage | undefined;
  if (!page || page.items.some(({ id }) => id === line.id)) return held;
  return { ...page, items: [line, ...page.items].slice(0, FEED_LINES) };
}

function refreshOf(campaignId: number): CacheEdit[] {
  return [
    { queryKey: campaignsQuery.queryKey, refetch: "exact" },
    { queryKey: campaignQuery(campaignId).queryKey, refetch: "below" },
  ];
}
