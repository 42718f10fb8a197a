import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SavedSettings } from "shared/admin_api.ts";
import type { Settings } from "shared/settings.ts";
import { apiJson } from "../../api_client.ts";
import { SETTINGS } from "../../text/admin_settings.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { settingsQuery } from "./get_settings.ts";

/** Saves all settings together; every site hears of them within seconds. */
export function useSaveSettings(onSaved: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (settings: Settings) =>
      apiJson<SavedSettings>("PUT", "/api/admin/settings", { body: { ...settings } }),
    onSuccess: (saved) => {
      cache.setQueryData(settingsQuery.queryKey, saved);
      showToast({ title: SETTINGS.savedTitle, description: SETTINGS.saved, tone: "ok" });
      onSaved();
    },
    onError: (error) => showFailure(SETTINGS.saveFailedTitle, error, SETTINGS.saveFailed),
  });
}
