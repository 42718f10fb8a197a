import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Split, X } from "lucide-react";
import { useState } from "react";
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import { MAX_TEXTS } from "shared/text_names.ts";
import type { CampaignTexts } from "shared/variants_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { textsQuery } from "./get_texts.ts";
import { TEXTS } from "./text/texts.ts";

/** Writes the texts that are tried beside the message of a campaign that is not sent yet. */
export function TextsForm({ campaign }: { campaign: Campaign }) {
  const query = useQuery(textsQuery(campaign));
  return (
    <section className="sheet min-w-0 p-5" aria-labelledby="texts-h">
      <h2 id="texts-h" className="mb-1 flex items-center gap-2 font-bold">
        <Split className="size-4" />
        {TEXTS.heading}
      </h2>
      <p className="mb-3 text-sm text-ink-2">{TEXTS.hint}</p>
      {query.data
        ? <Fields campaign={campaign} texts={query.data} />
        : query.isError
        ? <FailedBox title={TEXTS.loadFailed} error={query.error} onRetry={query.refetch} />
        : <Skeleton text={TEXTS.loading} />}
    </section>
  );
}

function Fields({ campaign, texts }: { campaign: Campaign; texts: CampaignTexts }) {
  const { id, pilot } = campaign;
  const cache = useQueryClient();
  const [typed, setTyped] = useState<readonly string[]>();
  const [tried, setTried] = useState(false);
  const messages = typed ?? texts.messages;
  const save = useMutation({
    mutationFn: () =>
      apiJson<CampaignTexts>("PUT", `/api/campaigns/${id}/texts`, {
        body: { messages: messages.map((message) => message.trim()) },
      }),
    onSuccess: (saved) => {
      cache.setQueryData(textsQuery(campaign).queryKey, saved);
      setTyped(undefined);
      setTried(false);
      showToast({ title: TEXTS.saved, tone: "ok" });
    },
    onError: (error) => showFailure(TEXTS.failedTitle, error, TEXTS.nothingChanged),
  });

  function submit() {
    setTried(true);
    if (messages.every((message) => message.trim() !== "")) save.mutate();
  }

  return (
    <div className="flex flex-col gap-3">
      {messages.length > 0 && <p className="text-sm text-ink-2">{TEXTS.first}</p>}
      {messages.map((message, index) => {
        const isMissing = tried && message.trim() === "";
        const field = `text-${index + 2}`;
        return (
          <div key={index}>
            <div className="mb-1 flex items-center justify-between gap-2">
              <label htmlFor={field} className="text-sm font-semibold">{TEXTS.label(index + 1)}</label>
              <button
                type="button"
                className="btn btn-ghost btn-square btn-sm"
                aria-label={TEXTS.remove(index + 1)}
                onClick={() => setTyped(messages.toSpliced(index, 1))}
              >
                <X className="size-4" />
              </button>
            </div>
            <textarea
              id={field}
              className={`textarea w-full [unicode-bidi:plaintext] ${isMissing ? "textarea-error" : ""}`}
              rows={3}
              maxLength={MAX_MESSAGE_CHARS}
              value={message}
              readOnly={save.isPending}
              aria-invalid={isMissing || undefined}
              aria-describedby={isMissing ? `${field}-e` : undefined}
              onChange={(event) => setTyped(messages.with(index, event.currentTarget.value))}
            />
            {isMissing && <p id={`${field}-e`} className="tone-bad mt-1 text-sm text-tone">{TEXTS.empty}</p>}
          </div>
        );
      })}
      {messages.length > 0 && !pilot && <p className="tone-warn text-sm text-tone">{TEXTS.needsPilot}</p>}
      <div className="flex flex-wrap gap-2">
        {messages.length < MAX_TEXTS - 1 && (
          <button
            type="button"
            className="btn btn-sm btn-secondary"
            onClick={() => setTyped([...messages, ""])}
          >
            <Plus className="size-4" />
            {TEXTS.add}
          </button>
        )}
        {typed !== undefined && (
          <BusyButton
            className="btn-primary btn-sm"
            busy={save.isPending}
            busyText={TEXTS.saving}
            onClick={submit}
          >
            {TEXTS.save}
          </BusyButton>
        )}
      </div>
    </div>
  );
}
