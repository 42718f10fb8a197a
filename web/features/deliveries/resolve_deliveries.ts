import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { resolveRequestSchema, resolveResultSchema } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { DELIVERIES } from "./text/deliveries.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

type Resolve = z.infer<typeof resolveRequestSchema>;
type Resolved = z.infer<typeof resolveResultSchema>;
export type ResolveAs = Resolve["as"];

/** Settles unknown deliveries as a person decided; calls `onDone` after success or failure. */
export function useResolveDeliveries(campaignId: number, onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Resolve) =>
      apiJson<Resolved>("POST", `/api/campaigns/${campaignId}/deliveries/resolve`, { body, once: true }),
    onSuccess: ({ changed }) => {
      showToast({ title: DELIVERIES.resolvedTitle, description: DELIVERIES.resolved(changed), tone: "ok" });
      return cache.invalidateQueries();
    },
    // A modal dialog covers the toasts, so it closes either way.
    onSettled: onDone,
    onError: (error) => showFailure(DELIVERIES.resolveFailedTitle, error, DELIVERIES.resolveFailed),
  });
}
