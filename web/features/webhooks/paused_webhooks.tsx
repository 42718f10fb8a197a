import { useQuery } from "@tanstack/react-query";
import { Pause } from "lucide-react";
import { Link } from "react-router-dom";
import { ACCOUNT_PATHS } from "../../account_paths.ts";
import { Notice } from "../../ui/notice.tsx";
import { webhooksQuery } from "./get_webhooks.ts";
import { WEBHOOKS } from "./text.ts";

/** Says that webhooks were paused by the edge, until the owner resumes or removes them. */
export function PausedWebhooks() {
  const webhooks = useQuery(webhooksQuery);
  const count = webhooks.data?.webhooks.filter(({ paused }) => paused && paused.why !== "person").length ?? 0;
  if (count === 0) return null;
  return (
    <Notice
      tone="warn"
      icon={Pause}
      lead={WEBHOOKS.pausedLead(count)}
      body={WEBHOOKS.pausedBody}
      action={
        <Link to={ACCOUNT_PATHS.webhooks} className="btn btn-secondary btn-sm">{WEBHOOKS.toWebhooks}</Link>
      }
      className="mb-6"
    />
  );
}
