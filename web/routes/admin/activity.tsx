import { ActivityList } from "../../features/activity/activity_list.tsx";
import { ACTIVITY } from "../../text/admin_activity.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { useNow } from "../../ui/use_now.ts";

const MINUTE_MS = 60_000;

/** The log of everything that happened. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(ACTIVITY.heading));
  return (
    <>
      <PageHead heading={ACTIVITY.heading}>{ACTIVITY.subtitle}</PageHead>
      <ActivityList now={useNow(MINUTE_MS)} />
    </>
  );
}
