import { useQuery } from "@tanstack/react-query";
import { BookMarked, Copy, PencilLine, Plus, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import type { SavedMessage } from "shared/saved_api.ts";
import { formatMoment } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";
import { KindMark } from "./kind_mark.tsx";
import { SavedEditor } from "./saved_editor.tsx";
import { savedQuery, useSavedAct } from "./saved_messages.ts";
import { SAVED } from "./text/saved.ts";

const MINUTE_MS = 60_000;

/** The client's saved messages, with everything that can be done with them. */
export function SavedList({ onUse }: { onUse: (saved: SavedMessage) => void }) {
  const saved = useQuery(savedQuery);
  const now = useNow(MINUTE_MS);
  const [editing, setEditing] = useState<SavedMessage | "new">();
  const items = saved.data?.items ?? [];
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="saved-h">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-base-300 px-5 py-4">
        <h2 id="saved-h" className="text-lg font-bold">{SAVED.list}</h2>
        {saved.data && (
          <button
            type="button"
            className="btn btn-primary btn-sm"
            onClick={() => setEditing("new")}
          >
            <Plus className="size-4" />
            {SAVED.create}
          </button>
        )}
      </div>
      {items.length > 0
        ? (
          <ul className="divide-y divide-base-300">
            {items.map((one) => (
              <SavedItem
                key={one.id}
                saved={one}
                now={now}
                onUse={() => onUse(one)}
                onEdit={() => setEditing(one)}
              />
            ))}
          </ul>
        )
        : (
          <div className="p-5">
            {saved.data
              ? <EmptyBox icon={BookMarked} title={SAVED.empty} body={SAVED.emptyMeaning} />
              : saved.isError
              ? <FailedBox title={SAVED.failed} error={saved.error} onRetry={saved.refetch} />
              : <Skeleton text={SAVED.loading} />}
          </div>
        )}
      {editing !== undefined && (
        <SavedEditor
          saved={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </section>
  );
}

interface SavedItemProps {
  saved: SavedMessage;
  now: number;
  onUse: () => void;
  onEdit: () => void;
}

function SavedItem({ saved, now, onUse, onEdit }: SavedItemProps) {
  const { id, name, message, kind, imageUrl, updatedAt, changedBy, usedCount } = saved;
  const [isAsking, setAsking] = useState(false);
  const act = useSavedAct(id, () => setAsking(false));
  return (
    <li className="flex flex-wrap items-start gap-4 px-5 py-4">
      {imageUrl && (
        <img src={imageUrl} alt={SAVED.image} className="size-16 shrink-0 rounded-field object-cover" />
      )}
      <div className="min-w-0 flex-[1_1_16rem]">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <bdi className="font-semibold wrap-anywhere">{name}</bdi>
          <KindMark kind={kind} />
        </h3>
        <p className="mt-1 line-clamp-2 text-sm text-ink-2 wrap-anywhere [unicode-bidi:plaintext]">
          {message}
        </p>
        <p className="mt-1.5 text-xs text-ink-3">
          {SAVED.changedBy(formatMoment(updatedAt, now), changedBy)} · {SAVED.used(usedCount)}
        </p>
      </div>
      <div className="flex flex-wrap gap-1" role="group" aria-label={SAVED.actsOf(name)}>
        <button type="button" className="btn btn-secondary btn-sm" onClick={onUse}>
          <Send className="size-4 -scale-x-100" />
          {SAVED.use}
        </button>
        <button type="button" className="btn btn-ghost btn-sm" onClick={onEdit}>
          <PencilLine className="size-4" />
          {SAVED.edit}
        </button>
        <BusyButton
          className="btn-ghost btn-sm"
          busy={act.isPending && act.variables === "duplicate"}
          busyText={SAVED.duplicating}
          onClick={() => act.mutate("duplicate")}
        >
          <Copy className="size-4" />
          {SAVED.duplicate}
        </BusyButton>
        <button
          type="button"
          className="btn btn-ghost btn-sm tone-bad text-tone"
          onClick={() => setAsking(true)}
        >
          <Trash2 className="size-4" />
          {SAVED.remove}
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={SAVED.removeTitle}
          confirm={SAVED.remove}
          busyText={SAVED.removing}
          busy={act.isPending}
          onConfirm={() => act.mutate("remove")}
          onClose={() => setAsking(false)}
        >
          {SAVED.removeBody(name)}
        </ConfirmDialog>
      )}
    </li>
  );
}
