import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { Link } from "react-router-dom";
import type { ActivityItem, ActivityType } from "shared/activity.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { ACTIVITY } from "../../text/admin_activity.ts";

const LOOKS: Record<ActivityType, { tone: string; icon: typeof Info }> = {
  success: { tone: "tone-ok", icon: CircleCheck },
  info: { tone: "tone-live", icon: Info },
  warning: { tone: "tone-warn", icon: TriangleAlert },
  error: { tone: "tone-bad", icon: CircleAlert },
};

/** Shows the event, its subject and its time; links to the subject. */
export function ActivityLine({ line, when }: { line: ActivityItem; when: string }) {
  const { tone, icon: Icon } = LOOKS[line.type];
  const to = pathOf(line);
  return (
    <>
      <span className={`${tone} mt-0.5 text-tone`} role="img" aria-label={ACTIVITY.kindOf[line.type]}>
        <Icon className="size-[1.125rem]" />
      </span>
      <div className="min-w-0">
        <p className="text-sm leading-snug wrap-anywhere">
          {to ? <Link to={to} className="hover:underline">{line.message}</Link> : line.message}
        </p>
        <p className="mt-0.5 text-xs text-ink-3">
          {line.detail !== null && (
            <>
              <bdi dir="rtl">{line.detail}</bdi> ·{" "}
            </>
          )}
          {when}
        </p>
      </div>
    </>
  );
}

function pathOf({ deviceId, campaignId, siteId, userId }: ActivityItem): string | undefined {
  if (deviceId !== null) return ADMIN_PATHS.device(deviceId);
  if (campaignId !== null) return ADMIN_PATHS.campaign(campaignId);
  if (siteId !== null) return ADMIN_PATHS.sites;
  return userId === null ? undefined : ADMIN_PATHS.users;
}
