import { Pause, Play, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { cancelEffect, DETAIL } from "../../text/campaign_detail.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { useMayDo } from "../../ui/may_do.ts";
import { useChangeCampaign } from "./change_campaign.ts";
import { isRunning } from "./is_running.ts";

interface CampaignActsProps {
  campaign: Omit<Campaign, "message">;
  /** True when an administrator paused the campaign: the viewer cannot resume it. */
  isHeld?: boolean;
  /** For an administrator: the client's name. Resuming what the client paused asks first. */
  client?: string;
  /** More actions, placed before the destructive one. */
  children?: ReactNode;
}

/** Buttons to pause, resume and cancel, each only when it is possible. */
export function CampaignActs({ campaign, isHeld = false, client, children }: CampaignActsProps) {
  const stop = campaign.notices.find(({ trip }) => trip !== undefined);
  const change = useChangeCampaign(campaign.id, stop?.trip);
  const [asking, setAsking] = useState(false);
  const [seeing, setSeeing] = useState(false);
  const [isForClient, setForClient] = useState(false);
  const maySend = useMayDo("sender");
  const running = isRunning(campaign.status);
  if (!maySend || (!running && campaign.status !== "paused")) return children;
  const busyWith = change.isPending ? change.variables : undefined;
  const { queued, leased } = campaign.counts;
  const clientPaused = client !== undefined &&
    campaign.notices.some(({ code }) => code === "paused_by_client");
  return (
    <>
      {running
        ? (
          <BusyButton
            className="btn-secondary"
            busy={busyWith === "pause"}
            busyText={DETAIL.pausing}
            onClick={() => change.mutate("pause")}
          >
            <Pause className="size-4" />
            {DETAIL.pause}
          </BusyButton>
        )
        : !isHeld && (
          <BusyButton
            className={clientPaused ? "btn-ghost border-base-300" : "btn-primary"}
            busy={busyWith === "resume"}
            busyText={DETAIL.resuming}
            onClick={() => {
              if (stop) setSeeing(true);
              else if (clientPaused) setForClient(true);
              else change.mutate("resume");
            }}
          >
            <Play className="size-4" />
            {DETAIL.resume}
          </BusyButton>
        )}
      {children}
      <button
        type="button"
        className="btn btn-ghost border-base-300 tone-bad text-tone"
        onClick={() => setAsking(true)}
      >
        <X className="size-4" />
        {DETAIL.cancel}
      </button>
      {seeing && (
        <ConfirmDialog
          title={DETAIL.seenTitle}
          confirm={DETAIL.seenConfirm}
          busyText={DETAIL.resuming}
          busy={busyWith === "resume"}
          isDestructive={false}
          leave={DETAIL.keep}
          onConfirm={() => change.mutate("resume", { onSettled: () => setSeeing(false) })}
          onClose={() => setSeeing(false)}
        >
          <p className="mb-3">{stop?.reason}</p>
          <p>{DETAIL.seenBody(queued)}</p>
        </ConfirmDialog>
      )}
      {isForClient && (
        <ConfirmDialog
          title={DETAIL.resumeForTitle(client ?? "")}
          confirm={DETAIL.resume}
          busyText={DETAIL.resuming}
          busy={busyWith === "resume"}
          isDestructive={false}
          isCareful
          leave={DETAIL.keepPaused}
          onConfirm={() => change.mutate("resume", { onSettled: () => setForClient(false) })}
          onClose={() => setForClient(false)}
        >
          {DETAIL.resumeForBody(client ?? "", queued)}
        </ConfirmDialog>
      )}
      {asking && (
        <ConfirmDialog
          title={DETAIL.cancelTitle}
          confirm={DETAIL.cancelConfirm}
          busyText={DETAIL.cancelling}
          busy={busyWith === "cancel"}
          leave={DETAIL.keep}
          onConfirm={() => change.mutate("cancel", { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          {cancelEffect(campaign.name, queued + leased, campaign.sentCount)}
        </ConfirmDialog>
      )}
    </>
  );
}
