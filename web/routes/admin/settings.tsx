import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { OutsideCard } from "../../features/alerts/outside_card.tsx";
import { settingsQuery } from "../../features/settings/get_settings.ts";
import { SettingsForm } from "../../features/settings/settings_form.tsx";
import { SETTINGS } from "../../features/settings/text.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { FailedBox } from "../../ui/failed_box.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";

const MINUTE_MS = 60_000;

/** Settings of the whole system. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(SETTINGS.heading));
  const settings = useQuery({ ...settingsQuery, staleTime: 0 });
  const now = useNow(MINUTE_MS);
  const saved = settings.data;
  useShownAnchor(saved !== undefined);
  return (
    <>
      <PageHead heading={SETTINGS.heading}>
        {SETTINGS.subtitle}{" "}
        {saved?.savedAt && saved.savedBy && SETTINGS.savedBy(saved.savedBy, saved.savedAt, now)}
      </PageHead>
      {saved && <SettingsForm saved={saved} />}
      {saved && <OutsideCard now={now} />}
      {settings.isPending && <Skeleton text={SETTINGS.loading} rows={5} />}
      {settings.isError && !saved && (
        <FailedBox title={SETTINGS.failed} error={settings.error} onRetry={settings.refetch} />
      )}
    </>
  );
}

/** Scrolls to the card named in the URL, once it is rendered. */
function useShownAnchor(isThere: boolean): void {
  const { hash } = useLocation();
  useEffect(() => {
    const named = isThere && hash && document.getElementById(hash.slice(1));
    if (!named) return;
    named.scrollIntoView({ block: "start" });
    named.focus({ preventScroll: true });
  }, [isThere, hash]);
}
