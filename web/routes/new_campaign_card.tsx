import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError } from "../api_client.ts";
import { type Draft, EMPTY_DRAFT } from "../features/campaigns/draft_store.ts";
import { campaignQuery } from "../features/campaigns/get_campaign.ts";
import { campaignsQuery } from "../features/campaigns/get_campaigns.ts";
import { MessageStep } from "../features/campaigns/message_step.tsx";
import { SendStep } from "../features/campaigns/send_step.tsx";
import { ContactsStep } from "../features/contacts/contacts_step.tsx";
import { CREATE } from "../text/client_home.ts";
import { Step } from "../ui/step.tsx";

interface NewCampaignCardProps {
  userId: number;
  quota: number;
  draft: Draft;
  changeDraft: (changes: Partial<Draft>) => void;
}

/** Three steps on one line of ink, all visible, one active: message, contacts, send. */
export function NewCampaignCard({ quota, draft, changeDraft }: NewCampaignCardProps) {
  const cache = useQueryClient();
  const { campaignId } = draft;
  const campaignNumber = useCampaignNumber(campaignId);
  const query = campaignQuery(campaignId ?? 0);
  const campaign = useQuery({ ...query, queryFn: campaignId === null ? skipToken : query.queryFn });
  const made = campaignId === null ? undefined : campaign.data;

  const isGone = campaign.error instanceof ApiError && campaign.error.status === 404;
  const isSent = made !== undefined && made.status !== "draft" && made.status !== "ready";
  useEffect(() => {
    if (campaignId !== null && (isGone || isSent)) changeDraft({ campaignId: null });
  }, [campaignId, isGone, isSent]);

  const isReady = made?.status === "ready";
  return (
    <section className="sheet p-5" aria-labelledby="new-h">
      <div className="mb-5 flex items-center justify-between gap-3">
        <h2 id="new-h" tabIndex={-1} className="text-xl font-extrabold">{CREATE.heading}</h2>
        {campaignId !== null && (
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            onClick={() => changeDraft(EMPTY_DRAFT)}
          >
            {CREATE.another}
          </button>
        )}
      </div>
      <ol>
        <Step number={1} title={CREATE.stepMessage} state={campaignId === null ? "active" : "done"}>
          <MessageStep
            key={campaignId}
            campaign={made}
            isCreated={campaignId !== null}
            words={draft}
            onWords={changeDraft}
            onCreated={(id) => changeDraft({ campaignId: id, name: "", message: "" })}
          />
        </Step>
        <Step number={2} title={CREATE.stepContacts} state={campaignId === null ? "waiting" : "active"}>
          <ContactsStep
            key={campaignNumber}
            campaignId={campaignId}
            numbers={draft.numbers}
            onNumbers={(numbers) => changeDraft({ numbers })}
            onAdded={() => {
              void cache.invalidateQueries({ queryKey: campaignsQuery.queryKey });
            }}
          />
        </Step>
        <Step number={3} title={CREATE.stepSend} state={isReady ? "active" : "waiting"}>
          {isReady
            ? <SendStep campaign={made} quota={quota} onSent={() => changeDraft(EMPTY_DRAFT)} />
            : <p className="text-sm text-ink-2">{CREATE.sendNotYet}</p>}
        </Step>
      </ol>
    </section>
  );
}

/** Grows when a campaign is left for another: a file chosen before 'צור קמפיין' was pressed stays chosen after it. */
function useCampaignNumber(campaignId: number | null): number {
  const [seen, setSeen] = useState({ campaignId, number: 0 });
  if (seen.campaignId === campaignId) return seen.number;
  const number = seen.campaignId === null ? seen.number : seen.number + 1;
  setSeen({ campaignId, number });
  return number;
}
