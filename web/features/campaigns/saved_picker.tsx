import { useQuery } from "@tanstack/react-query";
import { BookMarked, Image as ImageIcon } from "lucide-react";
import { Link } from "react-router-dom";
import type { SavedMessage } from "shared/saved_api.ts";
import { SAVED_PATHS } from "../../saved_paths.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { savedQuery } from "./saved_messages.ts";
import { KIND_LABELS } from "./text/kind_labels.ts";
import { SAVED } from "./text/saved.ts";

interface SavedPickerProps {
  onPick: (saved: SavedMessage) => void;
  onClose: () => void;
}

/** Chooses a saved message for the campaign that is being written. */
export function SavedPicker({ onPick, onClose }: SavedPickerProps) {
  const saved = useQuery(savedQuery);
  const items = saved.data?.items ?? [];
  return (
    <Dialog title={SAVED.pickTitle} onClose={onClose}>
      {items.length > 0 && <p className="mb-3 text-sm text-ink-2">{SAVED.pickHint}</p>}
      {items.length > 0
        ? (
          <ul className="-mx-2 max-h-96 overflow-y-auto">
            {items.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  className="flex w-full flex-col gap-0.5 rounded-field px-2 py-2.5 text-start hover:bg-base-200"
                  onClick={() => onPick(one)}
                >
                  <span className="sr-only">{SAVED.choose}</span>
                  <span className="flex w-full items-center gap-2">
                    <bdi className="min-w-0 truncate font-semibold">{one.name}</bdi>
                    {one.imageUrl && <ImageIcon className="size-4 text-ink-3" aria-label={SAVED.hasImage} />}
                    <span className="ms-auto shrink-0 text-xs text-ink-3">{KIND_LABELS[one.kind]}</span>
                  </span>
                  <span className="line-clamp-2 text-sm text-ink-2 wrap-anywhere">{one.message}</span>
                </button>
              </li>
            ))}
          </ul>
        )
        : saved.data
        ? <EmptyBox icon={BookMarked} title={SAVED.empty} body={SAVED.emptyMeaning} />
        : saved.isError
        ? <FailedBox title={SAVED.failed} error={saved.error} onRetry={saved.refetch} />
        : <Skeleton text={SAVED.loading} />}
      <DialogFoot onLeave={onClose}>
        <Link to={SAVED_PATHS.all} className="btn btn-secondary">{SAVED.manage}</Link>
      </DialogFoot>
    </Dialog>
  );
}
