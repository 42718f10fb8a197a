import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Campaign, TakenBack } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { refreshAfterSend } from "./send_campaign.ts";
import { TAKE_BACK } from "./text/review.ts";

/** Takes a send back, shows the result, and fetches everything that it changes, also when it was too late. */
export function useTakeBack({ id, counts }: Pick<Campaign, "id" | "counts">) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiJson<TakenBack>("POST", `/api/campaigns/${id}/take-back`),
    onSuccess: () =>
      showToast({ title: TAKE_BACK.doneTitle, description: TAKE_BACK.done(counts.queued), tone: "ok" }),
    onError: (error) => showFailure(TAKE_BACK.failedTitle, error, TAKE_BACK.failed),
    onSettled: () => refreshAfterSend(cache, id),
  });
}
