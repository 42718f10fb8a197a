import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { activityFeedQuery } from "../../features/activity/get_activity.ts";
import { settingsQuery } from "../../features/settings/get_settings.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { showToast } from "../../ui/toast_store.ts";

/** Activity codes that show a toast on every screen: losses, failures, automatic stops. */
const WITH_TOAST = [
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

/** Shows a toast for each such activity as it arrives, unless the settings turn it off. */
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
    // Lines that arrive before the settings wait for them.
    if (since !== null && !settings) return;
    // A response may be older than a live line and lack it. Do not show that line as new when it returns.
    seenId.current = Math.max(since ?? 0, lines[0]?.id ?? 0);
    const activity = fresh.find(({ code }) => WITH_TOAST.includes(code));
    if (!activity || !settings?.enableNotifications) return;
    const description = activity.detail === null
      ? activity.message
      : `${activity.message}: ${activity.detail}`;
    showToast({ title: ADMIN_SHELL.attention, description, tone: "bad" });
  }, [lines, settings === undefined]);
}
