/** The icon of each alert, and the link to the screen where it can be solved. */
import {
  Ban,
  DatabaseBackup,
  FileWarning,
  Hourglass,
  type LucideIcon,
  MessageCircleQuestionMark,
  Pause,
  Smartphone,
  TriangleAlert,
  Unplug,
  Wallet,
} from "lucide-react";
import type { AdminAlert } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { ALERTS } from "../../text/admin_activity.ts";

const ICONS: Record<AdminAlert["code"], LucideIcon> = {
  older_database: DatabaseBackup,
  site_stopped: TriangleAlert,
  site_gave_back: TriangleAlert,
  site_away: Unplug,
  sites_owe_outcomes: Unplug,
  account_banned: Ban,
  device_needs_hand: Smartphone,
  campaign_paused_by_rule: Pause,
  account_rested: Pause,
  unconfirmed_rested: Pause,
  accounts_unconfirmed: Smartphone,
  phone_moved: Smartphone,
  phone_at_two_sites: Smartphone,
  number_on_two_phones: Smartphone,
  import_failed: FileWarning,
  replies_wait: MessageCircleQuestionMark,
  quota_low: Wallet,
  no_device: Unplug,
  campaign_stalled: Hourglass,
  scan_silent: FileWarning,
};

/** Returns an alert's icon; a newer server may send codes unknown to this screen. */
export function iconOf({ code }: AdminAlert): LucideIcon {
  return ICONS[code] ?? TriangleAlert;
}

/** Returns the link to the screen for an alert, with its text. */
export function wayOf(
  { code, deviceId, campaignId, fileId, siteId }: AdminAlert,
): { to: string; label: string } {
  if (code === "quota_low") return { to: ADMIN_PATHS.users, label: ALERTS.toUsers };
  if (code === "replies_wait") return { to: ADMIN_PATHS.suppressions, label: ALERTS.toReplies };
  if (code === "accounts_unconfirmed") return { to: ADMIN_PATHS.devices, label: ALERTS.toDevices };
  if (deviceId !== null) return { to: ADMIN_PATHS.device(deviceId), label: ALERTS.toDevice };
  if (campaignId !== null) return { to: ADMIN_PATHS.campaign(campaignId), label: ALERTS.toCampaign };
  if (fileId !== null || code === "scan_silent") return { to: ADMIN_PATHS.files, label: ALERTS.toFile };
  if (siteId !== null) return { to: ADMIN_PATHS.sites, label: ALERTS.toSite };
  return { to: ADMIN_PATHS.devices, label: ALERTS.toDevices };
}
