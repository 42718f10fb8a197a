import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError } from "../data/api_client.ts";
import { type Draft, draftKey, readCampaignDraft } from "../features/campaigns/draft_store.ts";
import { campaignQuery } from "../features/campaigns/get_campaign.ts";
import { campaignsQuery } from "../features/campaigns/get_campaigns.ts";
import { MessageStep } from "../features/campaigns/message_step.tsx";
import { SendStep } from "../features/campaigns/send_step.tsx";
import { CREATE } from "../features/campaigns/text/client_home.ts";
import { notAddedSentence } from "../text/not_added.ts";
import { lazyPart } from "../ui/lazy_part.tsx";
import { useNotAdded } from "../ui/not_added.ts";
import { Step } from "../ui/step.tsx";
import { type DraftElsewhere, storeDraft, useStoredDraft } from "../ui/use_stored_draft.ts";

const DraftNotice = lazyPart(async () => (await import("../ui/draft_notice.tsx")).DraftNotice, {
  isQuiet: true,
});
const ContactsStep = lazyPart(
  async () => (await import("../features/contacts/contacts_step.tsx")).ContactsStep,
  { isEarly: true },
);

const TakeButton = lazyPart(
  async () => (await import("../features/lists/take_button.tsx")).TakeButton,
  { isQuiet: true },
);

interface NewCampaignCardProps {
  userId: number;
  quota: number;
  draft: Draft;
  changeDraft: (changes: Partial<Draft>) => void;
  /** The same draft in another tab. */
  elsewhere: DraftElsewhere;
}

const CONTACTS_HEADING = "new-contacts-h";

/** Three numbered steps, all visible, one active: message, contacts, send. */
export function NewCampaignCard({ userId, quota, draft, changeDraft, elsewhere }: NewCampaignCardProps) {
  const cache = useQueryClient();
  const { campaignId } = draft;
  const [typed, changeTyped, typedElsewhere] = useStoredDraft(
    draftKey(userId, campaignId),
    readCampaignDraft,
  );
  const tabs = elsewhere.state === "alone" ? typedElsewhere : elsewhere;
  const campaignNumber = useCampaignNumber(campaignId);
  const query = campaignQuery(campaignId ?? 0);
  const campaign = useQuery({ ...query, queryFn: campaignId === null ? skipToken : query.queryFn });
  const campaigns = useQuery(campaignsQuery);
  const made = campaignId === null ? undefined : campaign.data;

  const isGone = campaign.error instanceof ApiError && campaign.error.status === 404;
  const isSent = made !== undefined && made.status !== "draft" && made.status !== "ready";
  useEffect(() => {
    if (campaignId === null || !(isGone || isSent)) return;
    changeTyped({ numbers: "", edit: null });
    changeDraft({ campaignId: null });
  }, [campaignId, isGone, isSent]);

  const isReady = made?.status === "ready";
  const notAdded = notAddedSentence(useNotAdded(campaignId));
  return (
    <section className="sheet p-5" aria-labelledby="new-h">
      <div className="mb-5 flex items-center justify-between gap-3">
        <h2 id="new-h" tabIndex={-1} className="text-xl font-extrabold">{CREATE.heading}</h2>
        {campaignId !== null && (
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            onClick={() => {
              changeDraft({ campaignId: null });
              document.getElementById("new-h")?.focus();
            }}
          >
            {CREATE.another}
          </button>
        )}
      </div>
      {tabs.state !== "alone" && <DraftNotice elsewhere={tabs} />}
      <ol>
        <Step number={1} title={CREATE.stepMessage} state={campaignId === null ? "active" : "done"}>
          <MessageStep
            key={campaignId}
            campaign={made}
            isCreated={campaignId !== null}
            words={draft}
            onWords={changeDraft}
            onCreated={(id) => {
              storeDraft(draftKey(userId, id), { numbers: draft.numbers });
              changeDraft({ campaignId: id, name: "", message: "", kind: "", numbers: "" });
              document.getElementById(CONTACTS_HEADING)?.focus();
            }}
            edit={typed.edit}
            onEdit={(edit) => changeTyped({ edit })}
          />
        </Step>
        <Step
          number={2}
          title={CREATE.stepContacts}
          headingId={CONTACTS_HEADING}
          state={campaignId === null ? "waiting" : "active"}
        >
          <div className="min-h-44">
            <ContactsStep
              key={campaignNumber}
              campaignId={campaignId}
              kind={made?.kind ?? draft.kind}
              total={made?.totalContacts ?? 0}
              numbers={campaignId === null ? draft.numbers : typed.numbers}
              onNumbers={(numbers) =>
                campaignId === null ? changeDraft({ numbers }) : changeTyped({ numbers })}
              onAdded={() => {
                void cache.invalidateQueries({ queryKey: campaignsQuery.queryKey });
              }}
            />
            {made && (
              <TakeButton
                campaignId={made.id}
                kind={made.kind}
                campaigns={(campaigns.data ?? []).filter(({ startedAt }) => startedAt !== null)}
                onTaken={() => void cache.invalidateQueries({ queryKey: campaignsQuery.queryKey })}
              />
            )}
          </div>
        </Step>
        <Step number={3} title={CREATE.stepSend} state={isReady ? "active" : "waiting"}>
          {isReady && notAdded && <p className="tone-warn mb-2 text-sm text-tone">{notAdded}</p>}
          {isReady
            ? (
              <SendStep
                campaign={made}
                quota={quota}
                onSent={() => {
                  changeTyped({ numbers: "", edit: null });
                  changeDraft({ campaignId: null });
                  document.getElementById("mine-h")?.focus();
                }}
              />
            )
            : <p className="text-sm text-ink-2">{CREATE.sendNotYet}</p>}
        </Step>
      </ol>
    </section>
  );
}

/**
 * Returns a number that increases when another campaign replaces this one. A file chosen before 'צור קמפיין' was
 * pressed stays chosen.
 */
function useCampaignNumber(campaignId: number | null): number {
  const [seen, setSeen] = useState({ campaignId, number: 0 });
  if (seen.campaignId === campaignId) return seen.number;
  const number = seen.campaignId === null ? seen.number : seen.number + 1;
  setSeen({ campaignId, number });
  return number;
}
