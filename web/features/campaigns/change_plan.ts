import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Campaign, TakenBack } from "shared/http_api.ts";
import type { PlanMoved, Planned, PlanRequest } from "shared/plan_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { isReachedBefore, refreshAfterSend } from "./send_campaign.ts";
import { PLAN } from "./text/plan.ts";

/** Plans a ready campaign, shows the result, and fetches everything that it changes. */
export function usePlanCampaign(onPlanned: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: number } & PlanRequest) =>
      apiJson<Planned>("POST", `/api/campaigns/${id}/plan`, { body }),
    onSuccess: ({ plannedAt }) => {
      showToast({ title: PLAN.doneTitle, description: PLAN.done(plannedAt), tone: "ok" });
      onPlanned();
    },
    onError: (error) => {
      if (!isReachedBefore(error)) showFailure(PLAN.failedTitle, error, PLAN.failed);
    },
    onSettled: (_planned, _error, { id }) => refreshAfterSend(cache, id),
  });
}

/** Moves a plan; null = it starts now. */
export function useMovePlan({ id }: Pick<Campaign, "id">, onMoved: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (at: number | null) =>
      apiJson<PlanMoved>("PUT", `/api/campaigns/${id}/plan`, { body: { at } }),
    onSuccess: ({ plannedAt }, at) => {
      showToast({
        title: PLAN.movedTitle,
        description: at === null ? undefined : PLAN.done(plannedAt),
        tone: "ok",
      });
      onMoved();
    },
    onError: (error) => showFailure(PLAN.moveFailedTitle, error, PLAN.moveFailed),
    onSettled: () => refreshAfterSend(cache, id),
  });
}

/** Calls a plan off, also when it was too late: then it shows why. */
export function useCallOff({ id }: Pick<Campaign, "id">, onCalledOff: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiJson<TakenBack>("DELETE", `/api/campaigns/${id}/plan`),
    onSuccess: () => {
      showToast({ title: PLAN.calledOffTitle, tone: "ok" });
      onCalledOff();
    },
    onError: (error) => showFailure(PLAN.callOffFailedTitle, error, PLAN.callOffFailed),
    onSettled: () => refreshAfterSend(cache, id),
  });
}
