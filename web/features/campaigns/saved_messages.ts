import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { CampaignKind } from "shared/campaign.ts";
import type { SavedMessage, SavedMessages } from "shared/saved_api.ts";
import { apiJson, apiRequest, readByKey } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { SAVED } from "./text/saved.ts";

/** The client's saved messages, those used or changed last first. */
export const savedQuery = queryOptions({
  queryKey: ["/api/saved-messages"],
  queryFn: readByKey<SavedMessages>(),
  staleTime: 0,
});

export interface SavedWords {
  name: string;
  message: string;
  kind: CampaignKind | "";
  /** A file is the new image, null removes the present one, undefined keeps it. */
  image: File | null | undefined;
}

/** Saves a new message, or changes `saved` from the words that the person saw. */
export async function writeSaved(
  { name, message, kind, image }: SavedWords,
  saved: Pick<SavedMessage, "id"> | undefined,
  seen: number | undefined,
): Promise<SavedMessage> {
  const body = new FormData();
  body.set("name", name.trim());
  body.set("message", message.trim());
  body.set("kind", kind);
  if (image) body.set("image", image);
  if (image === null) body.set("oldImage", "remove");
  if (seen !== undefined) body.set("seen", String(seen));
  return saved === undefined
    ? await apiJson<SavedMessage>("POST", "/api/saved-messages", { body })
    : await apiJson<SavedMessage>("PUT", `/api/saved-messages/${saved.id}`, { body });
}

/** Copies or removes a saved message. */
export function useSavedAct(id: number, onDone: () => void = () => {}) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (act: "duplicate" | "remove") => {
      if (act === "remove") await apiRequest("DELETE", `/api/saved-messages/${id}`);
      else await apiJson<SavedMessage>("POST", `/api/saved-messages/${id}/duplicate`);
    },
    onSuccess: (_, act) => {
      showToast({ title: act === "remove" ? SAVED.removed : SAVED.savedTitle, tone: "ok" });
      onDone();
      return cache.invalidateQueries({ queryKey: savedQuery.queryKey });
    },
    onError: (error) => {
      showFailure(SAVED.failedTitle, error, SAVED.nothingChanged);
      onDone();
      void cache.invalidateQueries({ queryKey: savedQuery.queryKey });
    },
  });
}
