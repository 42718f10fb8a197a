import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { OWNER_ACTS } from "./text/owner_acts.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { campaignQuery } from "./get_campaign.ts";
import { campaignsQuery } from "./get_campaigns.ts";

/** Contacts of the copy. */
export type CopiedContacts = "none" | "all";

/** Creates a draft with the same words; `onMade` opens it. */
export function useDuplicateCampaign(
  id: number,
  { onMade, onFailed }: { onMade: (copy: Campaign) => void; onFailed: () => void },
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (contacts: CopiedContacts) =>
      apiJson<Campaign>("POST", `/api/campaigns/${id}/duplicate`, { body: { contacts } }),
    onSuccess: (copy) => {
      cache.setQueryData(campaignQuery(copy.id).queryKey, copy);
      showToast({
        title: OWNER_ACTS.duplicatedTitle,
        description: OWNER_ACTS.duplicated(copy.totalContacts),
        tone: "ok",
      });
      onMade(copy);
      return cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true });
    },
    onError: (error) => {
      onFailed();
      showFailure(OWNER_ACTS.duplicateFailedTitle, error, OWNER_ACTS.nothingChanged);
    },
  });
}
