import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BookMarked } from "lucide-react";
import { type FormEvent, useState } from "react";
import { MAX_NAME_CHARS } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import type { SavedMessage } from "shared/saved_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { savedQuery } from "./saved_messages.ts";
import { SAVED } from "./text/saved.ts";

/** Keeps the message of a campaign for later ones. */
export function SaveMessage({ campaign }: { campaign: Pick<Campaign, "id" | "name"> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-sm"
        aria-label={SAVED.saveOfCampaignLabel}
        onClick={() => setOpen(true)}
      >
        <BookMarked className="size-4" />
        {SAVED.saveOfCampaign}
      </button>
      {isOpen && <SaveDialog campaign={campaign} onClose={() => setOpen(false)} />}
    </>
  );
}

function SaveDialog(
  { campaign, onClose }: { campaign: Pick<Campaign, "id" | "name">; onClose: () => void },
) {
  const cache = useQueryClient();
  const [name, setName] = useState(campaign.name);
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      apiJson<SavedMessage>("POST", `/api/campaigns/${campaign.id}/save-message`, {
        body: { name: name.trim() },
      }),
    onSuccess: () => {
      showToast({ title: SAVED.savedTitle, description: SAVED.keptDone, tone: "ok" });
      onClose();
      return cache.invalidateQueries({ queryKey: savedQuery.queryKey });
    },
    onError: (error) => showFailure(SAVED.saveFailedTitle, error, SAVED.saveFailed),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (name.trim() && !save.isPending) save.mutate();
  }

  return (
    <Dialog title={SAVED.saveOfCampaignTitle} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <p className="mb-3 text-sm text-ink-2">{SAVED.saveOfCampaignHint}</p>
        <Field
          label={SAVED.name}
          maxLength={MAX_NAME_CHARS}
          value={name}
          error={tried && !name.trim() ? SAVED.nameMissing : undefined}
          onChange={setName}
        />
        <DialogFoot onLeave={onClose}>
          <BusyButton className="btn-primary" type="submit" busy={save.isPending} busyText={SAVED.saving}>
            {SAVED.save}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
