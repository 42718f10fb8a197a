import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { CREATE } from "../../text/client_home.ts";
import { SHELL } from "../../text/shell.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { createCampaign } from "./create_campaign.ts";
import { editCampaign } from "./edit_campaign.ts";
import { campaignQuery } from "./get_campaign.ts";
import { campaignsQuery } from "./get_campaigns.ts";
import { MessageFields } from "./message_fields.tsx";

interface Words {
  name: string;
  message: string;
}

interface MessageStepProps {
  /** The campaign this step has become; undefined before, and while it is on its way. */
  campaign: Campaign | undefined;
  isCreated: boolean;
  words: Words;
  onWords: (words: Partial<Words>) => void;
  onCreated: (campaignId: number) => void;
}

/** The first step: write and create; once created it folds into its summary, which can be edited. */
export function MessageStep(props: MessageStepProps) {
  const { campaign, isCreated } = props;
  const [editing, setEditing] = useState(false);
  if (!isCreated) return <CreateForm {...props} />;
  if (!campaign) {
    return <span className="skeleton block h-12 w-full" role="status" aria-label={SHELL.loading} />;
  }
  if (editing) return <EditForm campaign={campaign} onDone={() => setEditing(false)} />;
  return (
    <div className="flex items-start justify-between gap-3 rounded-field bg-base-200 p-3">
      <div className="min-w-0">
        <div className="truncate font-semibold">{campaign.name}</div>
        <div className="line-clamp-2 text-sm text-ink-2 wrap-anywhere">{campaign.message}</div>
      </div>
      <button type="button" className="btn btn-ghost btn-sm" onClick={() => setEditing(true)}>
        {CREATE.edit}
      </button>
    </div>
  );
}

function CreateForm({ words, onWords, onCreated }: MessageStepProps) {
  const cache = useQueryClient();
  const [image, setImage] = useState<File>();
  const [tried, setTried] = useState(false);
  const create = useMutation({
    mutationFn: createCampaign,
    onSuccess: (campaign) => {
      cache.setQueryData(campaignQuery(campaign.id).queryKey, campaign);
      void cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true });
      setImage(undefined);
      onCreated(campaign.id);
    },
    onError: (error) => showFailure(CREATE.failedTitle, error, CREATE.failedFallback),
  });

  function submit() {
    const name = words.name.trim();
    const message = words.message.trim();
    setTried(true);
    if (!name || !message) {
      showToast({ title: CREATE.missingTitle, description: CREATE.missing, tone: "bad" });
      return;
    }
    create.mutate({ name, message, image });
  }

  return (
    <div className="flex flex-col gap-4">
      <MessageFields {...words} onChange={onWords} tried={tried} image={{ file: image, onFile: setImage }} />
      <BusyButton
        className="btn-primary w-full"
        busy={create.isPending}
        busyText={CREATE.creating}
        onClick={submit}
      >
        {CREATE.create}
      </BusyButton>
    </div>
  );
}

function EditForm({ campaign, onDone }: { campaign: Campaign; onDone: () => void }) {
  const cache = useQueryClient();
  const [words, setWords] = useState<Words>({ name: campaign.name, message: campaign.message });
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: () => editCampaign(campaign.id, words),
    onSuccess: (saved) => {
      cache.setQueryData(campaignQuery(saved.id).queryKey, saved);
      void cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true });
      onDone();
    },
    onError: (error) => showFailure(CREATE.saveFailedTitle, error, CREATE.saveFailed),
  });
  return (
    <div className="flex flex-col gap-4">
      <MessageFields
        {...words}
        onChange={(changed) => setWords({ ...words, ...changed })}
        tried={tried}
      />
      <div className="flex gap-2">
        <BusyButton
          className="btn-primary"
          busy={save.isPending}
          busyText={CREATE.saving}
          onClick={() => {
            setTried(true);
            if (words.name.trim() && words.message.trim()) save.mutate();
          }}
        >
          {CREATE.save}
        </BusyButton>
        <button type="button" className="btn btn-ghost border-base-300" onClick={onDone}>
          {SHELL.cancel}
        </button>
      </div>
    </div>
  );
}
