import { useQuery } from "@tanstack/react-query";
import type { User } from "shared/http_api.ts";
import { USER_ACTS } from "./text.ts";
import { SHELL } from "../../text/shell.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { useChangeUser } from "./change_user.ts";
import { userEffectQuery } from "./get_user_effect.ts";

/** Asks before a user is disabled, and shows the effect in numbers. */
export function DisableDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const effect = useQuery(userEffectQuery(user.id));
  const change = useChangeUser(onClose);
  return (
    <ConfirmDialog
      title={USER_ACTS.disableTitle(user.username)}
      confirm={USER_ACTS.disable}
      busyText={USER_ACTS.disabling}
      busy={change.isPending}
      onConfirm={() => change.mutate({ user, change: { disabled: true } })}
      onClose={onClose}
    >
      <p role="status">
        {effect.data
          ? USER_ACTS.disableEffect(effect.data.runningCampaigns, effect.data.waitingPlans ?? 0)
          : effect.isError
          ? USER_ACTS.effectUnknown
          : SHELL.loading}
      </p>
    </ConfirmDialog>
  );
}
