import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { OWNER_ACTS } from "./text/owner_acts.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { type CopiedContacts, useDuplicateCampaign } from "./duplicate_campaign.ts";

interface DuplicateDialogProps {
  campaign: Campaign;
  onMade: (copy: Campaign) => void;
  onClose: () => void;
}

/** Asks which contacts the copy gets, with the number for each choice. */
export function DuplicateDialog({ campaign, onMade, onClose }: DuplicateDialogProps) {
  const { totalContacts } = campaign;
  const [contacts, setContacts] = useState<CopiedContacts>("none");
  const duplicate = useDuplicateCampaign(campaign.id, { onMade, onFailed: onClose });
  const choices = [
    { contacts: "none", label: OWNER_ACTS.copyNone, isOpen: true },
    { contacts: "all", label: OWNER_ACTS.copyAll(totalContacts), isOpen: totalContacts > 0 },
  ] as const;
  return (
    <Dialog title={OWNER_ACTS.duplicateTitle} onClose={onClose}>
      <p className="mb-3 text-sm text-ink-2">{OWNER_ACTS.duplicateHint}</p>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{OWNER_ACTS.duplicateTitle}</legend>
        {choices.filter(({ isOpen }) => isOpen).map((choice) => (
          <label key={choice.contacts} className="choice py-2 text-sm">
            <input
              type="radio"
              name="copied-contacts"
              className="radio radio-sm radio-primary"
              checked={contacts === choice.contacts}
              onChange={() =>
                setContacts(choice.contacts)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </fieldset>
      <DialogFoot onLeave={onClose}>
        <BusyButton
          className="btn-primary"
          busy={duplicate.isPending}
          busyText={OWNER_ACTS.duplicating}
          onClick={() => duplicate.mutate(contacts)}
        >
          {OWNER_ACTS.duplicate}
        </BusyButton>
      </DialogFoot>
    </Dialog>
  );
}
