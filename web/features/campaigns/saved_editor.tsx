import { useMutation, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { SavedMessage } from "shared/saved_api.ts";
import { ApiError } from "../../data/api_client.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Notice } from "../../ui/notice.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { MessageFields } from "./message_fields.tsx";
import { savedQuery, type SavedWords, writeSaved } from "./saved_messages.ts";
import { CREATE } from "./text/client_home.ts";
import { SAVED } from "./text/saved.ts";

interface SavedEditorProps {
  /** Absent for a new message. */
  saved?: SavedMessage;
  onClose: () => void;
}

const NOTHING: SavedWords = { name: "", message: "", kind: "", image: undefined };

function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof ApiError && error.code === "words_changed";
}

/** Form of a saved message, in a dialog. */
export function SavedEditor({ saved, onClose }: SavedEditorProps) {
  const cache = useQueryClient();
  const [words, setWords] = useState<SavedWords>(saved ? { ...saved, image: undefined } : NOTHING);
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: (seen: number | undefined) => writeSaved(words, saved, seen),
    onSuccess: () => {
      showToast({ title: SAVED.savedTitle, tone: "ok" });
      onClose();
    },
    onError: (error) => {
      if (!isChangedMeanwhile(error)) showFailure(SAVED.saveFailedTitle, error, SAVED.saveFailed);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: savedQuery.queryKey }),
  });

  function submit() {
    setTried(true);
    const missing = !words.name.trim() ? "c-name" : !words.message.trim() ? "c-msg" : undefined;
    const hasKind = words.kind === "marketing" || words.kind === "service";
    if (!missing && hasKind) return save.mutate(saved?.updatedAt);
    if (missing) showToast({ title: CREATE.missingTitle, description: CREATE.missing, tone: "bad" });
    document.getElementById(missing ?? "c-kind")?.focus();
  }

  return (
    <Dialog title={saved ? SAVED.editTitle : SAVED.createTitle} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <MessageFields
          {...words}
          onChange={(changed) => setWords({ ...words, ...changed })}
          tried={tried}
          isBusy={save.isPending}
          imageUrl={words.image === null ? null : saved?.imageUrl ?? null}
          image={{ file: words.image ?? undefined, onFile: (image) => setWords({ ...words, image }) }}
          onImageGone={() => setWords({ ...words, image: null })}
        />
        {isChangedMeanwhile(save.error) && (
          <Notice
            tone="warn"
            icon={TriangleAlert}
            lead={SAVED.changed}
            body={SAVED.changedBody}
            action={
              <button
                type="button"
                className="btn btn-sm btn-secondary"
                onClick={() => save.mutate(undefined)}
              >
                {SAVED.saveMine}
              </button>
            }
          />
        )}
      </div>
      <DialogFoot onLeave={onClose}>
        <BusyButton className="btn-primary" busy={save.isPending} busyText={SAVED.saving} onClick={submit}>
          {SAVED.save}
        </BusyButton>
      </DialogFoot>
    </Dialog>
  );
}
