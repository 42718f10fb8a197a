import type { Campaign } from "shared/http_api.ts";
import { CREATE } from "./text/client_home.ts";
import { SHELL } from "../../text/shell.ts";
import { CreateForm } from "./create_form.tsx";
import { beginEdit, type CampaignDraft, type Draft } from "./draft_store.ts";
import { lazyPart } from "../../ui/lazy_part.tsx";

const AdvertiserMissing = lazyPart(
  async () => (await import("./advert_preview.tsx")).AdvertiserMissing,
  { isQuiet: true },
);
const EditForm = lazyPart(async () => (await import("./edit_form.tsx")).EditForm);

interface MessageStepProps {
  /** The campaign created in this step; undefined before its creation and while it loads. */
  campaign: Campaign | undefined;
  isCreated: boolean;
  words: Draft;
  onWords: (words: Partial<Draft>) => void;
  onCreated: (campaignId: number) => void;
  /** The created campaign's words during an edit. */
  edit: CampaignDraft["edit"];
  onEdit: (edit: CampaignDraft["edit"]) => void;
}

/** The first step: write and create. After the creation it shows a summary that can be edited. */
export function MessageStep(
  { campaign, isCreated, words, onWords, onCreated, edit, onEdit }: MessageStepProps,
) {
  if (!isCreated) return <CreateForm words={words} onWords={onWords} onCreated={onCreated} />;
  if (!campaign) {
    return <span className="skeleton block h-12 w-full" role="status" aria-label={SHELL.loading} />;
  }
  if (edit) {
    return <EditForm campaign={campaign} words={edit} onWords={onEdit} />;
  }
  const lacksAdvertiser = campaign.notices.some(({ code }) => code === "advertiser_missing");
  return (
    <>
      <div className="flex items-start justify-between gap-3 rounded-field bg-base-200 p-3">
        <div className="min-w-0">
          <div className="flex font-semibold">
            <bdi className="truncate">{campaign.name}</bdi>
          </div>
          <div className="line-clamp-2 text-sm text-ink-2 wrap-anywhere">{campaign.message}</div>
        </div>
        <button
          type="button"
          className="btn btn-ghost btn-sm"
          onClick={() => onEdit(beginEdit(campaign))}
        >
          {CREATE.edit}
        </button>
      </div>
      {/* The send step says it of a ready campaign. */}
      {campaign.status === "draft" && lacksAdvertiser && <AdvertiserMissing />}
    </>
  );
}
