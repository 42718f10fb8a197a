import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiRequest } from "../../data/api_client.ts";
import { DEVICE } from "../../text/admin_devices.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

/** Releases an account that was stopped automatically; the reason is shown above the button. */
export function ReleaseAccount({ id, trip }: { id: number; trip: number }) {
  const cache = useQueryClient();
  const release = useMutation({
    mutationFn: () => apiRequest("POST", `/api/admin/accounts/${id}/release`, { body: { trip } }),
    onSuccess: () => {
      showToast({ title: DEVICE.releasedTitle, description: DEVICE.released });
      return cache.invalidateQueries();
    },
    onError: (error) => showFailure(DEVICE.releaseFailedTitle, error, DEVICE.releaseFailed),
  });
  return (
    <BusyButton
      className="btn-primary btn-sm mt-3"
      busy={release.isPending}
      busyText={DEVICE.releasing}
      onClick={() => release.mutate()}
    >
      {DEVICE.release}
    </BusyButton>
  );
}
