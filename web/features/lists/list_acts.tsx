import { PencilLine, Trash2 } from "lucide-react";
import { useState } from "react";
import type { OneList } from "shared/lists_api.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { useRemoveList } from "./change_lists.ts";
import { RenameDialog } from "./rename_dialog.tsx";
import { LISTS } from "./text.ts";

interface ListActsProps {
  list: OneList;
  onRemoved: () => void;
}

/** Renames a list, and removes it after a question. */
export function ListActs({ list, onRemoved }: ListActsProps) {
  const [asked, setAsked] = useState<"rename" | "remove">();
  const remove = useRemoveList(list.id, onRemoved);
  return (
    <div className="flex flex-wrap gap-2">
      <button
        type="button"
        className="btn btn-ghost border-base-300"
        onClick={() => setAsked("rename")}
      >
        <PencilLine className="size-4" />
        {LISTS.rename}
      </button>
      <button type="button" className="btn btn-outline btn-error" onClick={() => setAsked("remove")}>
        <Trash2 className="size-4" />
        {LISTS.remove}
      </button>
      {asked === "rename" && <RenameDialog list={list} onClose={() => setAsked(undefined)} />}
      {asked === "remove" && (
        <ConfirmDialog
          title={LISTS.removeTitle(list.name)}
          confirm={LISTS.remove}
          busyText={LISTS.removing}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsked(undefined)}
        >
          {LISTS.removeEffect(list.size)}
        </ConfirmDialog>
      )}
    </div>
  );
}
