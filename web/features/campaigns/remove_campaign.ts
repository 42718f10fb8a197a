import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiRequest } from "../../data/api_client.ts";
import { deletionOf } from "../../data/query_client.ts";
import { OWNER_ACTS } from "./text/owner_acts.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { campaignQuery } from "./get_campaign.ts";
import { campaignsQuery } from "./get_campaigns.ts";

/** Deletes an unsent campaign; `onGone` leaves its screen before it is fetched again. */
export function useDeleteCampaign(
  id: number,
  { onGone, onFailed }: { onGone: () => void; onFailed: () => void },
) {
  const cache = useQueryClient();
  const { queryKey } = campaignQuery(id);
  return useMutation({
    mutationKey: deletionOf(queryKey),
    onMutate: () => cache.cancelQueries({ queryKey }),
    mutationFn: () => apiRequest("DELETE", `/api/campaigns/${id}`),
    onSuccess: () => {
      showToast({ title: OWNER_ACTS.deletedTitle, tone: "ok" });
      // The list that opens now would show it until it has the next answer.
      cache.setQueryData(campaignsQuery.queryKey, (list) => list?.filter((one) => one.id !== id));
      onGone();
      return cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true });
    },
    onError: (error) => {
      onFailed();
      showFailure(OWNER_ACTS.deleteFailedTitle, error, OWNER_ACTS.nothingChanged);
    },
  });
}

/** Removes every contact from an unsent campaign; calls `onDone` after success or failure. */
export function useRemoveContacts(id: number, onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiRequest("DELETE", `/api/campaigns/${id}/contacts`),
    onSuccess: () => {
      showToast({ title: OWNER_ACTS.contactsRemovedTitle, tone: "ok" });
      void cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true });
      return cache.invalidateQueries({ queryKey: campaignQuery(id).queryKey });
    },
    onError: (error) => showFailure(OWNER_ACTS.contactsNotRemovedTitle, error, OWNER_ACTS.nothingChanged),
    onSettled: onDone,
  });
}
