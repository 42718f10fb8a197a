import type { User } from "shared/http_api.ts";
import { USER_ACTS } from "./text.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { useChangeUser } from "./change_user.ts";

/** Asks before a lost second factor is removed, and shows what that ends. */
export function RemoveFactorDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const change = useChangeUser(onClose);
  return (
    <ConfirmDialog
      title={USER_ACTS.factorTitle(user.username)}
      confirm={USER_ACTS.removeFactor}
      busyText={USER_ACTS.removingFactor}
      busy={change.isPending}
      onConfirm={() => change.mutate({ user, change: { secondFactor: false } })}
      onClose={onClose}
    >
      {USER_ACTS.factorEffect}
    </ConfirmDialog>
  );
}
