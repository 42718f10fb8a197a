import { Copy, Smartphone, Trash2 } from "lucide-react";
import { useState } from "react";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import { deleteEffect, OWNER_ACTS } from "./text/owner_acts.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { DuplicateDialog } from "./duplicate_dialog.tsx";
import { unsentOf } from "./unsent_again.tsx";
import { WriteAgain } from "./write_again.tsx";
import { useDeleteCampaign } from "./remove_campaign.ts";

interface OwnerActsProps {
  campaign: Campaign;
  onTest: () => void;
  onDuplicated: (copy: Campaign) => void;
  onDeleted: () => void;
}

/** Where the notice about an end does not ask already. */
function offersAgain(campaign: Campaign): boolean {
  const { failed, skipped, cancelled, unknown } = campaign.counts;
  return unsentOf(campaign) === 0 && failed + skipped + cancelled + unknown > 0;
}

/** Actions of the owner alone: a test to oneself, a copy, deletion of an unsent campaign. */
export function OwnerActs({ campaign, onTest, onDuplicated, onDeleted }: OwnerActsProps) {
  const [asking, setAsking] = useState<"duplicate" | "delete">();
  const close = () => setAsking(undefined);
  const remove = useDeleteCampaign(campaign.id, { onGone: onDeleted, onFailed: close });
  const isEditable = EDITABLE_STATUSES.includes(campaign.status);
  return (
    <>
      {(isEditable || campaign.status === "paused") && (
        <button type="button" className="btn btn-ghost border-base-300" onClick={onTest}>
          <Smartphone className="size-4" />
          {OWNER_ACTS.test}
        </button>
      )}
      <button
        type="button"
        className="btn btn-ghost border-base-300"
        onClick={() => setAsking("duplicate")}
      >
        <Copy className="size-4" />
        {OWNER_ACTS.duplicate}
      </button>
      {!isEditable && offersAgain(campaign) && (
        <WriteAgain campaign={campaign} className="btn-ghost border-base-300" onMade={onDuplicated} />
      )}
      {isEditable && (
        <button
          type="button"
          className="btn btn-ghost border-base-300 tone-bad text-tone"
          onClick={() => setAsking("delete")}
        >
          <Trash2 className="size-4" />
          {OWNER_ACTS.delete}
        </button>
      )}
      {asking === "duplicate" && (
        <DuplicateDialog
          campaign={campaign}
          onMade={onDuplicated}
          onClose={close}
        />
      )}
      {asking === "delete" && (
        <ConfirmDialog
          title={OWNER_ACTS.deleteTitle}
          confirm={OWNER_ACTS.deleteConfirm}
          busyText={OWNER_ACTS.deleting}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          {deleteEffect(campaign.name, campaign.totalContacts)}
        </ConfirmDialog>
      )}
    </>
  );
}
