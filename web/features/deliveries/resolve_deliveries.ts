import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { resolveRequestSchema, resolveResultSchema } from "shared/http_api.ts";
import { apiJson } from "../../api_client.ts";
import { DELIVERIES } from "../../text/deliveries.ts";
import { errorText } from "../../text/error_text.ts";
import { showToast } from "../../ui/toast_store.ts";

type Resolve = z.infer<typeof resolveRequestSchema>;
type Resolved = z.infer<typeof resolveResultSchema>;
export type ResolveAs = Resolve["as"];

/** Settles deliveries whose outcome is unknown, as a person judged them. */
export function useResolveDeliveries(campaignId: number, onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Resolve) =>
      apiJson<Resolved>("POST", `/api/campaigns/${campaignId}/deliveries/resolve`, { body }),
    onSuccess: ({ changed }) => {
      showToast({ title: DELIVERIES.resolvedTitle, description: DELIVERIES.resolved(changed), tone: "ok" });
      onDone();
      return cache.invalidateQueries();
    },
    onError: (error) =>
      showToast({
        title: DELIVERIES.resolveFailedTitle,
        description: errorText(error, DELIVERIES.resolveFailed),
        tone: "bad",
      }),
  });
}
