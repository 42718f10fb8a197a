import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SavedSettings } from "shared/admin_api.ts";
import type { Settings } from "shared/settings.ts";
import { apiJson } from "../../data/api_client.ts";
import { SETTINGS } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { withProof } from "../../data/with_proof.ts";
import { settingsQuery } from "./get_settings.ts";

const PATH = "/api/admin/settings";

/**
 * Saves only the changed settings over the latest saved ones: an old screen must not revert another
 * administrator's save. Every site receives them within seconds.
 */
export function useSaveSettings(onSaved: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (changes: Partial<Settings>) => {
      const { settings } = await apiJson<SavedSettings>("GET", PATH);
      return await withProof((proof) =>
        apiJson<SavedSettings>("PUT", PATH, { body: { ...settings, ...changes, ...proof } })
      );
    },
    onSuccess: (saved) => {
      cache.setQueryData(settingsQuery.queryKey, saved);
      showToast({ title: SETTINGS.savedTitle, description: SETTINGS.saved, tone: "ok" });
      onSaved();
    },
    onError: (error) => showFailure(SETTINGS.saveFailedTitle, error, SETTINGS.saveFailed),
  });
}
