import { useQuery } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import type { WaitingApproval } from "shared/approval_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { focusHeading } from "../../ui/lost_focus.ts";
import { ReasonDialog } from "../../ui/reason_dialog.tsx";
import { useDecideApproval } from "./decide_approval.ts";
import { approvalsQuery } from "./get_approvals.ts";
import { APPROVALS, REFUSAL } from "./text.ts";

const REASON_CHARS = { least: 3, most: 300 };

interface ApprovalQueueProps {
  now: number;
  /** Shows a message, with its image, as its reader will see it. */
  bubbleOf: (item: WaitingApproval) => ReactNode;
}

/** The campaigns that wait for a decision, each with everything that would go; nothing when none wait. */
export function ApprovalQueue({ now, bubbleOf }: ApprovalQueueProps) {
  const { data, isError, error, refetch } = useQuery(approvalsQuery);
  if (isError && data === undefined) {
    return <FailedBox title={APPROVALS.failed} error={error} onRetry={refetch} />;
  }
  if (data === undefined || data.items.length === 0) return null;
  const { count, items } = data;
  return (
    <section className="sheet mt-4 p-5" aria-labelledby="approvals-h">
      <h2 id="approvals-h" className="text-lg font-bold">
        {APPROVALS.heading} ({count})
      </h2>
      <ul className="divide-y divide-base-300">
        {items.map((item) => (
          <Item key={`${item.campaign.id} ${item.revision}`} item={item} now={now}>{bubbleOf(item)}</Item>
        ))}
      </ul>
      {count > items.length && (
        <p className="mt-3 text-sm text-ink-2">{APPROVALS.more(items.length, count)}</p>
      )}
    </section>
  );
}

function Item({ item, now, children }: { item: WaitingApproval; now: number; children: ReactNode }) {
  const [isRefusing, setRefusing] = useState(false);
  const decide = useDecideApproval(item, () => {
    setRefusing(false);
    focusHeading();
  });
  const { campaign, client, askedAt } = item;
  return (
    <li className="grid items-start gap-4 py-4 md:grid-cols-[1fr_20rem]" aria-label={campaign.name}>
      <div className="grid min-w-0 gap-2">
        <h3 className="font-bold">
          {campaign.name} · <bdi>{client.username}</bdi>
        </h3>
        <p className="text-sm">{APPROVALS.people(item)}</p>
        <p className="text-sm">{APPROVALS.when(item)}</p>
        <p className="text-sm text-ink-2">
          {APPROVALS.asked(askedAt, now)} ·{" "}
          <Link className="link" to={ADMIN_PATHS.campaign(campaign.id)}>{APPROVALS.toCampaign}</Link>
        </p>
        <div className="mt-1 flex flex-wrap gap-2">
          <BusyButton
            className="btn-primary btn-sm"
            busy={decide.isPending && decide.variables.decision === "approved"}
            busyText={APPROVALS.approving}
            onClick={() => decide.mutate({ decision: "approved", reason: "" })}
          >
            <Check className="size-4" />
            {APPROVALS.approve}
          </BusyButton>
          <button
            type="button"
            className="btn btn-sm btn-ghost tone-bad border-base-300 text-tone"
            aria-haspopup="dialog"
            onClick={() => setRefusing(true)}
          >
            <X className="size-4" />
            {APPROVALS.refuse}
          </button>
        </div>
      </div>
      <div
        className="max-h-64 overflow-y-auto rounded-field bg-base-200 p-3"
        tabIndex={0}
        aria-label={APPROVALS.text}
      >
        {children}
      </div>
      {isRefusing && (
        <ReasonDialog
          words={REFUSAL}
          {...REASON_CHARS}
          busy={decide.isPending}
          onConfirm={(reason) => decide.mutate({ decision: "refused", reason })}
          onClose={() => setRefusing(false)}
        />
      )}
    </li>
  );
}
