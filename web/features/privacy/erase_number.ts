import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Erasure, ErasureEffect } from "shared/privacy.ts";
import { apiJson } from "../../data/api_client.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { PRIVACY } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { erasuresQuery } from "./get_erasures.ts";

export interface ErasureForm extends Record<string, unknown> {
  phone: string;
  reason: string;
  block: boolean;
}

/** What the erasure of a number would touch; read again for every question. */
export function erasureEffectQuery(phone: string) {
  return queryOptions({
    queryKey: ["/api/admin/erasures/effect", phone],
    queryFn: () => apiJson<ErasureEffect>("POST", "/api/admin/erasures/effect", { body: { phone } }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Erases a number everywhere; calls `onDone` after success, `onSettled` after success or failure. */
export function useEraseNumber(onDone: () => void, onSettled: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (form: ErasureForm) =>
      apiJson<Erasure>("POST", "/api/admin/erasures", { body: form, once: true }),
    onSuccess: () => {
      showToast({ title: PRIVACY.doneTitle, description: PRIVACY.done, tone: "ok" });
      onDone();
      return cache.invalidateQueries({ queryKey: erasuresQuery.queryKey });
    },
    // A modal dialog covers the toasts, so it closes either way.
    onSettled,
    onError: (error) => showFailure(PRIVACY.failedTitle, error, ADMIN_COMMON.refused),
  });
}
