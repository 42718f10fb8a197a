import { useQuery, useQueryClient } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, useNavigate } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { wayOf } from "../../features/alerts/alert_look.ts";
import { alertKey, claimFresh } from "../../features/alerts/fresh_alerts.ts";
import { type AdminAlert, alertsQuery, withoutQuiet } from "../../features/alerts/get_alerts.ts";
import {
  askNoticePermission,
  noticePermission,
  showNotice,
  useNoticePermission,
} from "../../features/alerts/notice_permission.ts";
import { settingsQuery } from "../../features/settings/get_settings.ts";
import { ALERTS } from "../../text/admin_activity.ts";

/** Up to this many alerts get a notification each; the rest is shown as a number. */
const MOST_AT_ONCE = 3;

/**
 * Shows new alerts as browser notifications, if the settings and the browser's permission allow it. It works in a
 * background window too, once for all windows.
 */
export function useBrowserNotices(): void {
  const navigate = useNavigate();
  const cache = useQueryClient();
  /** Undefined until the settings have loaded. */
  const isOn = useQuery(settingsQuery).data?.settings.enableNotifications;
  const isAllowed = useNoticePermission() === "granted";
  const { data: alerts } = useQuery({
    ...alertsQuery,
    refetchIntervalInBackground: isOn === true && isAllowed,
  });
  const hasLooked = useRef(false);
  useEffect(() => {
    if (!alerts || noticePermission() === "unsupported") return;
    const isFirstLook = !hasLooked.current;
    hasLooked.current = true;
    // Alerts that arrive before the settings are claimed and shown after they load.
    if (isOn === undefined && !isFirstLook) return;
    const receivedAt = cache.getQueryState(alertsQuery.queryKey)?.dataUpdatedAt ?? 0;
    claimFresh(withoutQuiet(alerts), { receivedAt, isFirstLook, now: Date.now() }).then((fresh) => {
      if (isOn && noticePermission() === "granted") notifyAll(fresh, navigate);
    }).catch(() => {
      // Without locks no notification is shown; the bell still shows the alert.
    });
  }, [alerts, isOn]);
}

/**
 * Shows whether the browser displays alerts, with the button that asks for permission; the page never asks by
 * itself.
 */
export function BrowserNoticesChoice() {
  const isOn = useQuery(settingsQuery).data?.settings.enableNotifications;
  const permission = useNoticePermission();
  if (isOn === false) {
    return (
      <p className="text-sm text-ink-2">
        {ALERTS.turnedOff} <Link to={ADMIN_PATHS.settings} className="link">{ALERTS.toSettings}</Link>
      </p>
    );
  }
  if (permission !== "default") return <p className="text-sm text-ink-2">{ALERTS.permission[permission]}</p>;
  return (
    <>
      <p className="mb-3 text-sm text-ink-2">{ALERTS.permission.default}</p>
      <button type="button" className="btn btn-secondary btn-sm" onClick={() => void askNoticePermission()}>
        <BellRing className="size-4" />
        {ALERTS.allow}
      </button>
    </>
  );
}

function notifyAll(fresh: readonly AdminAlert[], go: (path: string) => void): void {
  for (const alert of fresh.slice(0, MOST_AT_ONCE)) {
    notify({ body: alert.message, tag: alertKey(alert) }, () => go(wayOf(alert).to));
  }
  const more = fresh.length - MOST_AT_ONCE;
  if (more > 0) notify({ body: ALERTS.more(more), tag: "more" }, () => go(ADMIN_PATHS.dashboard));
}

function notify(what: { body: string; tag: string }, onOpen: () => void): void {
  const shown = showNotice(ALERTS.notificationTitle, { ...what, lang: "he", dir: "rtl" });
  if (!shown) return;
  shown.onclick = () => {
    focus();
    onOpen();
  };
}
