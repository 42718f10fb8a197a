/** The icon of each alert, and the link to the screen where it can be solved. */
import {
  Ban,
  CalendarClock,
  DatabaseBackup,
  FileWarning,
  Hourglass,
  type LucideIcon,
  MailX,
  MessageCircleQuestionMark,
  Pause,
  Smartphone,
  TriangleAlert,
  Unplug,
  Wallet,
} from "lucide-react";
import type { AdminAlert, AlertCause } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { ALERTS } from "../../text/admin_activity.ts";

const ICONS: Record<AdminAlert["code"], LucideIcon> = {
  older_database: DatabaseBackup,
  site_stopped: TriangleAlert,
  site_gave_back: TriangleAlert,
  site_away: Unplug,
  sites_owe_outcomes: Unplug,
  account_banned: Ban,
  unknown_screen: Smartphone,
  device_needs_hand: Smartphone,
  campaign_paused_by_rule: Pause,
  account_rested: Pause,
  unconfirmed_rested: Pause,
  accounts_unconfirmed: Smartphone,
  phone_moved: Smartphone,
  phone_at_two_sites: Smartphone,
  number_on_two_phones: Smartphone,
  import_failed: FileWarning,
  approval_waits: Hourglass,
  plan_waits: CalendarClock,
  series_waits: CalendarClock,
  replies_wait: MessageCircleQuestionMark,
  quota_low: Wallet,
  no_device: Unplug,
  campaign_stalled: Hourglass,
  scan_silent: FileWarning,
  alerts_undelivered: MailX,
};

/** Returns an alert's icon; a newer server may send codes unknown to this screen. */
export function iconOf({ code }: Pick<AdminAlert, "code">): LucideIcon {
  return ICONS[code] ?? TriangleAlert;
}

/** Returns the link to the screen for an alert, with its text. */
export function wayOf(
  { code, deviceId, campaignId, fileId, siteId }: AdminAlert,
): { to: string; label: string } {
  if (code === "quota_low") return { to: ADMIN_PATHS.users, label: ALERTS.toUsers };
  if (code === "approval_waits") return { to: ADMIN_PATHS.dashboard, label: ALERTS.toApprovals };
  if (code === "series_waits") return { to: ADMIN_PATHS.users, label: ALERTS.toUsers };
  if (code === "replies_wait") return { to: ADMIN_PATHS.suppressions, label: ALERTS.toReplies };
  if (code === "alerts_undelivered") return { to: ADMIN_PATHS.outsideSettings, label: ALERTS.toSettings };
  if (code === "accounts_unconfirmed") return { to: ADMIN_PATHS.devices, label: ALERTS.toDevices };
  if (deviceId !== null) return { to: ADMIN_PATHS.device(deviceId), label: ALERTS.toDevice };
  if (campaignId !== null) return { to: ADMIN_PATHS.campaign(campaignId), label: ALERTS.toCampaign };
  if (fileId !== null || code === "scan_silent") return { to: ADMIN_PATHS.files, label: ALERTS.toFile };
  if (siteId !== null) return { to: ADMIN_PATHS.sites, label: ALERTS.toSite };
  return { to: ADMIN_PATHS.devices, label: ALERTS.toDevices };
}

/** Returns the link for all alerts of a cause: to the one there is, or to the screen of their kind. */
export function wayOfCause(
  { cause, code, alerts, title }: AlertCause,
  items: readonly AdminAlert[],
): { to: string; label: string } {
  // An older server names no causes: each alert is one.
  const first = items.find((item) => cause === "" ? item.message === title : item.cause === cause);
  if (first && alerts === 1) return wayOf(first);
  const [, part] = cause.split(":");
  if (part && (code === "account_banned" || code === "device_needs_hand")) {
    return { to: `${ADMIN_PATHS.devices}?state=${part}`, label: ALERTS.toDevices };
  }
  const all = { code, cause, type: "error", message: "", since: null } as const;
  const none = { siteId: null, deviceId: null, campaignId: null, fileId: null };
  if (first?.campaignId && !["replies_wait", "quota_low", "approval_waits"].includes(code)) {
    return { to: ADMIN_PATHS.campaigns, label: ALERTS.toCampaigns };
  }
  const isOfSites = first?.siteId && first.deviceId === null;
  return wayOf({ ...all, ...none, siteId: isOfSites ? 0 : null, fileId: first?.fileId ? 0 : null });
}
