import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { EditAccountRequest } from "shared/admin_api.ts";
import { apiRequest } from "../../data/api_client.ts";
import { DEVICE, DEVICE_ACTS } from "../../text/admin_devices.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

/** Labels an account, or confirms its owner; calls `onDone` after success or failure. */
export function useEditAccount(id: number, onDone?: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (change: EditAccountRequest) =>
      apiRequest("PATCH", `/api/admin/accounts/${id}`, { body: change }),
    onSuccess: (_answer, { confirmed }) => {
      showToast({ title: titleOf(confirmed), tone: "ok" });
      return cache.invalidateQueries();
    },
    // A modal dialog covers the toasts, so it closes either way.
    onSettled: onDone,
    onError: (error) => showFailure(DEVICE.editFailed, error, DEVICE_ACTS.refused),
  });
}

function titleOf(confirmed: boolean | undefined): string {
  if (confirmed === undefined) return DEVICE.labelled;
  return confirmed ? DEVICE.confirmedTitle : DEVICE.unconfirmedTitle;
}
