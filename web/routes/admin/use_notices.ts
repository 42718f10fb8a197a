import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { activityFeedQuery } from "../../features/activity/get_activity.ts";
import { settingsQuery } from "../../features/settings/get_settings.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { showToast } from "../../ui/toast_store.ts";

/** What an administrator is told of on any screen: what was lost, what failed, what a rule stopped. */
const TOLD = [
  "site_lost",
  "account_banned",
  "account_restricted",
  "inventory_banned",
  "campaign_failed",
  "breaker_campaign",
  "breaker_account",
  "unconfirmed_rested",
  "import_failed",
  "journal_doubted",
  "restore_untold",
  "two_machines",
  "impossible_report",
];

/** A toast for what must be looked at, as it comes in, unless the settings say otherwise. */
export function useNotices(): void {
  const cache = useQueryClient();
  const settings = useQuery(settingsQuery).data?.settings;
  const lines = useQuery({ ...activityFeedQuery, refetchInterval: false }).data?.items;
  const seenId = useRef<number>(null);
  useEffect(() => {
    if (!lines) return;
    const since = seenId.current;
    const fresh = since === null ? [] : lines.filter(({ id }) => id > since);
    if (fresh.some(({ code }) => code === "settings_changed")) {
      void cache.invalidateQueries({ queryKey: settingsQuery.queryKey });
    }
    // What came before the settings is told, or is not, when they are known.
    if (since !== null && !settings) return;
    // An answer from before a live line lacks it, and what comes again behind that was told already.
    seenId.current = Math.max(since ?? 0, lines[0]?.id ?? 0);
    const told = fresh.find(({ code }) => TOLD.includes(code));
    if (!told || !settings?.enableNotifications) return;
    const description = told.detail === null ? told.message : `${told.message}: ${told.detail}`;
    showToast({ title: ADMIN_SHELL.attention, description, tone: "bad" });
  }, [lines, settings === undefined]);
}
