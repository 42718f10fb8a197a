import { useMutation, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { ApiError } from "../../data/api_client.ts";
import { CREATE } from "./text/client_home.ts";
import { EDIT } from "./text/edit_campaign.ts";
import { ACTS } from "../../text/acts.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { Notice } from "../../ui/notice.tsx";
import { beginEdit, type CampaignDraft } from "./draft_store.ts";
import { editCampaign, type ImageChange } from "./edit_campaign.ts";
import { campaignQuery } from "./get_campaign.ts";
import { campaignsQuery } from "./get_campaigns.ts";
import { MessageFields } from "./message_fields.tsx";

interface EditFormProps {
  campaign: Campaign;
  words: NonNullable<CampaignDraft["edit"]>;
  /** Called with the words while they are typed, and with null after a save or cancel. */
  onWords: (words: CampaignDraft["edit"]) => void;
}

/** Returns whether a save was refused because somebody else changed the words during the edit. */
function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof ApiError && error.code === "words_changed";
}

/** Form for the words and image of a campaign that was not sent yet. */
export function EditForm({ campaign, words, onWords }: EditFormProps) {
  const cache = useQueryClient();
  const [tried, setTried] = useState(false);
  const [image, setImage] = useState<ImageChange>();
  const save = useMutation({
    mutationFn: (typed: typeof words) => editCampaign(campaign.id, typed, image),
    onSuccess: (saved) => {
      cache.setQueryData(campaignQuery(saved.id).queryKey, saved);
      void cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true });
      showToast({ title: EDIT.savedTitle, tone: "ok" });
      onWords(null);
    },
    onError: (error) => {
      if (!isChangedMeanwhile(error)) return showFailure(EDIT.saveFailedTitle, error, EDIT.saveFailed);
      void cache.invalidateQueries({ queryKey: campaignQuery(campaign.id).queryKey });
    },
  });

  function submit() {
    setTried(true);
    const missing = !words.name.trim() ? "c-name" : !words.message.trim() ? "c-msg" : undefined;
    if (!missing && words.kind !== "undeclared") return save.mutate(words);
    if (missing) showToast({ title: CREATE.missingTitle, description: CREATE.missing, tone: "bad" });
    document.getElementById(missing ?? "c-kind")?.focus();
  }

  return (
    <div className="flex flex-col gap-4">
      <MessageFields
        {...words}
        campaign={campaign}
        onChange={(changed) => onWords({ ...words, ...changed })}
        tried={tried}
        isBusy={save.isPending}
        imageUrl={image === null ? null : campaign.imageUrl}
        image={{ file: image ?? undefined, onFile: setImage }}
        onImageGone={() => setImage(null)}
      />
      {isChangedMeanwhile(save.error) && (
        <Notice
          tone="warn"
          icon={TriangleAlert}
          lead={EDIT.changed}
          body={EDIT.changedBody(campaign.name, campaign.message)}
          action={
            <div className="flex flex-wrap gap-2">
              <button type="button" className="btn btn-sm btn-secondary" onClick={() => onWords(null)}>
                {EDIT.takeTheirs}
              </button>
              <button
                type="button"
                className="btn btn-sm btn-ghost border-base-300"
                onClick={() => save.mutate({ ...words, was: beginEdit(campaign).was })}
              >
                {EDIT.saveMine}
              </button>
            </div>
          }
        />
      )}
      <div className="flex gap-2">
        <BusyButton className="btn-primary" busy={save.isPending} busyText={EDIT.saving} onClick={submit}>
          {EDIT.save}
        </BusyButton>
        <button type="button" className="btn btn-ghost border-base-300" onClick={() => onWords(null)}>
          {ACTS.cancel}
        </button>
      </div>
    </div>
  );
}
