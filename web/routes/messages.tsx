import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { SavedMessage } from "shared/saved_api.ts";
import { draftKey, readDraft, withSaved } from "../features/campaigns/draft_store.ts";
import { SavedList } from "../features/campaigns/saved_list.tsx";
import { SAVED } from "../features/campaigns/text/saved.ts";
import { PATHS } from "../paths.ts";
import { ConfirmDialog } from "../ui/confirm_dialog.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { readStoredDraft, storeDraft } from "../ui/use_stored_draft.ts";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

/** A client's saved messages; each begins a campaign in the form on the home screen. */
export function Screen() {
  usePageTitle(SAVED.title);
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<SavedMessage>();
  const key = draftKey(user.id);

  function begin(saved: SavedMessage) {
    storeDraft(key, withSaved({ ...readStoredDraft(key, readDraft), campaignId: null }, saved));
    void navigate(PATHS.client);
  }

  return (
    <>
      <SignedInHeader />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Link to={PATHS.client} className="btn btn-ghost btn-sm -ms-3 mb-3">
          <ArrowRight className="size-4" />
          {SAVED.back}
        </Link>
        <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{SAVED.heading}</h1>
        <p className="mt-1.5 mb-6 max-w-prose text-ink-2">{SAVED.subtitle}</p>
        <SavedList
          onUse={(saved) => {
            // A campaign that was created already stays; words that are only typed would be lost.
            const draft = readStoredDraft(key, readDraft);
            if (draft.campaignId === null && draft.message.trim() !== "") setAsked(saved);
            else begin(saved);
          }}
        />
      </main>
      {asked && (
        <ConfirmDialog
          title={SAVED.replaceTitle}
          confirm={SAVED.replace}
          busyText={SAVED.replace}
          busy={false}
          onConfirm={() => begin(asked)}
          onClose={() => setAsked(undefined)}
        >
          {SAVED.replaceBody(asked.name)}
        </ConfirmDialog>
      )}
    </>
  );
}
