import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Split } from "lucide-react";
import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import type { CampaignTexts, TextFigures } from "shared/variants_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { campaignQuery } from "./get_campaign.ts";
import { textsQuery } from "./get_texts.ts";
import { TEXTS } from "./text/texts.ts";

interface TextsResultsProps {
  campaign: Campaign;
  /** False for a viewer who cannot choose. */
  isOwner: boolean;
}

/** What came of each text of a sent campaign; the owner chooses the one for the rest. */
export function TextsResults({ campaign, isOwner }: TextsResultsProps) {
  const query = useQuery(textsQuery(campaign));
  return (
    <section className="sheet mt-6 min-w-0 p-5" aria-labelledby="texts-h">
      <h2 id="texts-h" className="mb-3 flex items-center gap-2 font-bold">
        <Split className="size-4" />
        {TEXTS.results}
      </h2>
      {query.data
        ? <Results id={campaign.id} texts={query.data} isOwner={isOwner} />
        : query.isError
        ? <FailedBox title={TEXTS.loadFailed} error={query.error} onRetry={query.refetch} />
        : <Skeleton text={TEXTS.loading} />}
    </section>
  );
}

function Results({ id, texts, isOwner }: { id: number; texts: CampaignTexts; isOwner: boolean }) {
  const cache = useQueryClient();
  const [asked, setAsked] = useState<number>();
  const choose = useMutation({
    mutationFn: (no: number) =>
      apiJson<CampaignTexts>("POST", `/api/campaigns/${id}/texts/choose`, { body: { no } }),
    onError: (error) => showFailure(TEXTS.chooseFailedTitle, error, TEXTS.nothingChanged),
    onSettled: async () => {
      setAsked(undefined);
      await Promise.all([
        cache.invalidateQueries({ queryKey: ["/api/campaigns", id, "texts"] }),
        cache.invalidateQueries({ queryKey: campaignQuery(id).queryKey }),
      ]);
    },
  });
  const { sent, proposed, isClose, winner } = texts;
  const canChoose = isOwner && texts.canChoose;
  return (
    <>
      <ul className="divide-y divide-base-300">
        {sent.map((one) => (
          <TextRow
            key={one.no}
            text={one}
            mark={one.no === winner
              ? TEXTS.chosen
              : winner === null && one.no === proposed
              ? TEXTS.proposed
              : undefined}
            isChosen={one.no === winner}
            onChoose={canChoose ? () => setAsked(one.no) : undefined}
          />
        ))}
      </ul>
      {winner === null && proposed !== null && isClose && (
        <p className="mt-3 text-sm text-ink-2">{TEXTS.close}</p>
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={TEXTS.chooseTitle(asked - 1)}
          confirm={TEXTS.choose}
          busyText={TEXTS.choosing}
          busy={choose.isPending}
          isDestructive={false}
          onConfirm={() => choose.mutate(asked)}
          onClose={() => setAsked(undefined)}
        >
          {TEXTS.chooseBody}
        </ConfirmDialog>
      )}
    </>
  );
}

interface TextRowProps {
  text: TextFigures;
  mark: string | undefined;
  isChosen: boolean;
  onChoose: (() => void) | undefined;
}

function TextRow({ text: { no, text, ...figures }, mark, isChosen, onChoose }: TextRowProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-[1_1_16rem]">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {TEXTS.label(no - 1)}
          {mark !== undefined && (
            <span
              className={`flex items-center gap-1 text-sm font-normal ${
                isChosen ? "tone-ok text-tone" : "text-ink-2"
              }`}
            >
              <Check className="size-4" />
              {mark}
            </span>
          )}
        </h3>
        <p className="mt-1 text-sm text-ink-2 wrap-anywhere whitespace-pre-line [unicode-bidi:plaintext]">
          {text}
        </p>
        <p className="mt-1 text-sm">{TEXTS.figures(figures)}</p>
      </div>
      {onChoose && (
        <button
          type="button"
          className="btn btn-sm btn-secondary"
          aria-label={TEXTS.chooseLabel(no - 1)}
          onClick={onChoose}
        >
          {TEXTS.choose}
        </button>
      )}
    </li>
  );
}
