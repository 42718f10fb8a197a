import { Pause, Play, X } from "lucide-react";
import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { cancelEffect, DETAIL } from "../../text/campaign_detail.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useChangeCampaign } from "./change_campaign.ts";
import { isRunning } from "./is_running.ts";

/** Pause, resume and cancel, while there is something to pause, resume or cancel. */
export function CampaignActs({ campaign }: { campaign: Campaign }) {
  const change = useChangeCampaign(campaign.id);
  const [asking, setAsking] = useState(false);
  const running = isRunning(campaign.status);
  if (!running && campaign.status !== "paused") return null;
  const busyWith = change.isPending ? change.variables : undefined;
  const { queued, leased } = campaign.counts;
  return (
    <div className="flex flex-wrap gap-2">
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
        : (
          <BusyButton
            className="btn-primary"
            busy={busyWith === "resume"}
            busyText={DETAIL.resuming}
            onClick={() => change.mutate("resume")}
          >
            <Play className="size-4" />
            {DETAIL.resume}
          </BusyButton>
        )}
      <button
        type="button"
        className="btn btn-ghost border-base-300 tone-bad text-tone"
        onClick={() => setAsking(true)}
      >
        <X className="size-4" />
        {DETAIL.cancel}
      </button>
      {asking && (
        <Dialog title={DETAIL.cancelTitle} onClose={() => setAsking(false)}>
          <p className="mb-5 text-sm">{cancelEffect(campaign.name, queued + leased, campaign.sentCount)}</p>
          <div className="flex flex-wrap gap-2">
            <BusyButton
              className="btn-error"
              busy={busyWith === "cancel"}
              busyText={DETAIL.cancelling}
              onClick={() => change.mutate("cancel", { onSettled: () => setAsking(false) })}
            >
              {DETAIL.cancelConfirm}
            </BusyButton>
            <button
              type="button"
              className="btn btn-ghost border-base-300"
              onClick={() => setAsking(false)}
            >
              {DETAIL.keep}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
