/** Maps a live event to edits of the features' query caches, and to at most one toast. */
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
 * Changes the cached data under a key or key prefix, or fetches a key or key prefix again. "joining" does not
 * cancel a request under way: fleet events are so frequent that its lists would never arrive. `isToldAgain` means
 * that the next event carries the same data again, soon.
 */
export type CacheEdit =
  | { queryKey: QueryKey; change: (held: unknown) => unknown; isRepeated?: boolean }
  | { queryKey: QueryKey; changeBelow: (held: unknown) => unknown; isRepeated?: boolean }
  | { queryKey: QueryKey; refetch: "exact" | "below" | "joining" };

/** Key prefix of the newest activity lines, newest first. */
const ACTIVITY_FEED_KEY = ["/api/admin/activity"];
const FEED_LINES = 50;

const SUPPRESSIONS_AGAIN: CacheEdit = { queryKey: ["/api/suppressions"], refetch: "joining" };

/** Codes of what changes the administrators' list of users or a balance in it; the list is not polled. */
const CHANGES_USERS =
  /^(user_|quota_|queues_|campaign_(sent|planned|called_off|taken_back|completed|failed|cancelled))/;
const USERS_AGAIN: CacheEdit = { queryKey: ["/api/users"], refetch: "joining" };

/** Codes of what changes the administrators' queue of approvals. */
const CHANGES_APPROVALS = /^(approval_|campaign_|settings_)/;
const APPROVALS_AGAIN: CacheEdit = { queryKey: ["/api/admin/approvals"], refetch: "joining" };

/** Returns the edits for an event; data that is not cached stays untouched. */
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
        isRepeated: isRunning(event.data.status),
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
        ...(CHANGES_USERS.test(event.data.code) ? [USERS_AGAIN] : []),
        ...(CHANGES_APPROVALS.test(event.data.code) ? [APPROVALS_AGAIN] : []),
      ];
    case "alert":
    case "alerts_changed":
      return [{ queryKey: ["/api/admin/alerts"], refetch: "joining" }];
  }
}

/** Returns the toast for an event, if it has one. */
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
      "isRepeated" in edit && edit.isRepeated === true,
    );
    if ("change" in edit) cache.setQueryData(queryKey, edit.change);
    else if ("changeBelow" in edit) cache.setQueriesData({ queryKey }, edit.changeBelow);
    else void cache.invalidateQueries({ queryKey }, JOINING);
  }
}

const JOINING = { cancelRefetch: false };

/** Queries whose present request is a refetch after another request. */
const askedBehind = new WeakSet<Query>();

/**
 * Fetches once more after the requests under way: the server may have computed their responses before the event,
 * and they would restore the old state on the screen. Repeated calls meanwhile cause one refetch. For data that
 * the next event repeats, do not queue a refetch after a refetch: an active campaign has so many events that its
 * figures would be fetched without end.
 */
function askBehind(
  cache: QueryClient,
  key: Pick<QueryFilters, "queryKey" | "exact">,
  isRepeated: boolean,
): void {
  const underWay = cache.getQueryCache().findAll({ ...key, type: "active", fetchStatus: "fetching" })
    .filter((query) => !isRepeated || !askedBehind.has(query));
  if (underWay.length === 0) return;
  void Promise.allSettled(underWay.map(({ promise }) => promise)).then(async () => {
    for (const query of underWay) askedBehind.add(query);
    const predicate = (query: Query) => underWay.includes(query);
    await cache.refetchQueries({ ...key, type: "active", predicate }, JOINING);
    for (const query of underWay) askedBehind.delete(query);
  });
}

/** Keys that show devices, accounts or their location. */
const FLEET_KEYS = ["/api/devices/adb-status", "/api/admin/devices", "/api/admin/sites", "/api/admin/risk"];

/** Returns edits that replace cached figures; events carry absolute figures, so the newest one is right. */
function figuresOf(data: CampaignEventData): CacheEdit[] {
  const { campaignId } = data;
  const isRepeated = isRunning(data.status);
  return [
    {
      queryKey: campaignsQuery.queryKey,
      change: (held) => (held as Campaign[] | undefined)?.map((campaign) => withFigures(campaign, data)),
      isRepeated,
    },
    {
      queryKey: campaignQuery(campaignId).queryKey,
      change: (held) => held && withFigures(held as Campaign, data),
      isRepeated,
    },
  ];
}

function withFigures<Held extends { id: number }>(campaign: Held, data: CampaignEventData): Held {
  const { campaignId, name, status, totalContacts, sentCount, counts, completedAt } = data;
  if (campaign.id !== campaignId) return campaign;
  return { ...campaign, name, status, totalContacts, sentCount, counts, completedAt };
}

/** The same for administrators, whose cache has one campaign, or pages of campaigns, for each filter. */
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
