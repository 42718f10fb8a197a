import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { OWNER_ACTS, removeContactsEffect } from "./text/owner_acts.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { useRemoveContacts } from "./remove_campaign.ts";

/** Removes all contacts from an unsent campaign, after showing their number. */
export function RemoveContacts({ campaign }: { campaign: Campaign }) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const remove = useRemoveContacts(campaign.id, close);
  return (
    <div>
      <button
        type="button"
        className="btn btn-ghost btn-sm tone-bad text-tone"
        onClick={() => setAsking(true)}
      >
        {OWNER_ACTS.removeContacts}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={OWNER_ACTS.removeContactsTitle}
          confirm={OWNER_ACTS.removeContactsConfirm}
          busyText={OWNER_ACTS.removing}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          {removeContactsEffect(campaign.name, campaign.totalContacts)}
        </ConfirmDialog>
      )}
    </div>
  );
}
