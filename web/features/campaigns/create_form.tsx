import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BookMarked } from "lucide-react";
import { useState } from "react";
import { CREATE } from "./text/client_home.ts";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { BusyButton } from "../../ui/busy_button.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { createCampaign } from "./create_campaign.ts";
import { type Draft, withSaved } from "./draft_store.ts";
import { campaignQuery } from "./get_campaign.ts";
import { campaignsQuery } from "./get_campaigns.ts";
import { MessageFields } from "./message_fields.tsx";

const SavedPicker = lazyPart(async () => (await import("./saved_picker.tsx")).SavedPicker);

interface CreateFormProps {
  words: Draft;
  onWords: (words: Partial<Draft>) => void;
  onCreated: (campaignId: number) => void;
}

/** Name, text and image of a new campaign, and the button that creates it. */
export function CreateForm({ words, onWords, onCreated }: CreateFormProps) {
  const cache = useQueryClient();
  const [image, setImage] = useState<File>();
  const [tried, setTried] = useState(false);
  const [isPicking, setPicking] = useState(false);
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
      document.getElementById(name ? "c-msg" : "c-name")?.focus();
      return;
    }
    const { kind } = words;
    if (!kind) {
      document.getElementById("c-kind")?.focus();
      return;
    }
    create.mutate({ name, message, kind, image, saved: words.saved?.id });
  }

  return (
    <div className="flex flex-col gap-4">
      <button
        type="button"
        className="btn btn-ghost btn-sm self-start -ms-3 -mt-1"
        onClick={() => setPicking(true)}
      >
        <BookMarked className="size-4" />
        {CREATE.fromSaved}
      </button>
      {isPicking && (
        <SavedPicker
          onPick={(saved) => {
            setImage(undefined);
            onWords(withSaved(words, saved));
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
      <MessageFields
        name={words.name}
        message={words.message}
        kind={words.kind}
        onChange={onWords}
        tried={tried}
        isBusy={create.isPending}
        imageUrl={words.saved?.imageUrl}
        onImageGone={() => onWords({ saved: null })}
        image={{ file: image, onFile: setImage }}
      />
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
