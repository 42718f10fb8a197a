import type { Suppression } from "shared/suppressions_api.ts";
import { removeEffect, SUPPRESSIONS } from "./text/admin_suppressions.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { useRemoveSuppressions } from "./change_suppressions.ts";

interface RemoveDialogProps {
  chosen: readonly Suppression[];
  /** Called after the server's response, success or failure. */
  onDone: () => void;
  onClose: () => void;
}

/** Asks before numbers may be messaged again; counts separately the recipients who asked for removal themselves. */
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
