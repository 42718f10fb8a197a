import { PencilLine, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { OneList } from "shared/lists_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { failureOf } from "../../ui/show_failure.ts";
import { useRemoveList, useRenameList } from "./change_lists.ts";
import { MAX_LIST_NAME_CHARS } from "./limits.ts";
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

function RenameDialog({ list, onClose }: { list: OneList; onClose: () => void }) {
  const [name, setName] = useState(list.name);
  const [isMissing, setMissing] = useState(false);
  const rename = useRenameList(list.id, onClose);
  const failure = rename.isError
    ? failureOf(LISTS.renameFailedTitle, rename.error, LISTS.changeFailed)
    : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (rename.isPending) return;
    if (name.trim()) rename.mutate(name.trim());
    else setMissing(true);
  }

  return (
    <Dialog title={LISTS.renameTitle} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Field
          label={LISTS.name}
          maxLength={MAX_LIST_NAME_CHARS}
          error={isMissing ? LISTS.nameMissing : failure?.description}
          value={name}
          onChange={(value) => {
            setName(value);
            setMissing(false);
            if (rename.isError) rename.reset();
          }}
        />
        <DialogFoot onLeave={onClose}>
          <BusyButton type="submit" className="btn-primary" busy={rename.isPending} busyText={LISTS.saving}>
            {LISTS.renameConfirm}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
