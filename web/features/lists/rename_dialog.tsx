import { type FormEvent, useState } from "react";
import type { OneList } from "shared/lists_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { failureOf } from "../../ui/show_failure.ts";
import { useRenameList } from "./change_lists.ts";
import { MAX_LIST_NAME_CHARS } from "./limits.ts";
import { LISTS } from "./text.ts";

/** Gives a list another name. */
export function RenameDialog({ list, onClose }: { list: OneList; onClose: () => void }) {
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
