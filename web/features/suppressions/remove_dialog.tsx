import type { Suppression } from "shared/suppressions_api.ts";
import { removeEffect, SUPPRESSIONS } from "./text/admin_suppressions.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { useRemoveSuppressions } from "./change_suppressions.ts";

interface RemoveDialogProps {
  chosen: readonly Suppression[];
  /** Called when the server has answered, either way. */
  onDone: () => void;
  onClose: () => void;
}

/** Asks before numbers may be messaged again; who asked for the removal by a reply is told apart. */
export function RemoveDialog({ chosen, onDone, onClose }: RemoveDialogProps) {
  const remove = useRemoveSuppressions(() => {
    onDone();
    onClose();
  });
  return (
    <ConfirmDialog
      title={SUPPRESSIONS.removeTitle}
      confirm={SUPPRESSIONS.removeConfirm}
      busyText={SUPPRESSIONS.removing}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(chosen.map(({ id }) => id))}
      onClose={onClose}
    >
      {removeEffect(chosen.length, chosen.filter(({ source }) => source === "reply").length)}
    </ConfirmDialog>
  );
}
