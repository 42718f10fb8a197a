import type { Campaign } from "shared/http_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";
import type { CampaignEdit } from "./draft_store.ts";

/** Change of a campaign's image: a file replaces it, null removes it, undefined keeps it. */
export type ImageChange = File | null | undefined;

/**
 * Changes a draft or ready campaign, unless its words are no longer the ones from which the edit began. The image is
 * sent first, because its content can be refused.
 */
export async function editCampaign(
  id: number,
  { was, ...words }: CampaignEdit,
  image: ImageChange,
): Promise<Campaign> {
  if (image !== undefined) await changeImage(id, image);
  const body = { ...words, expected: was ?? undefined };
  return await apiJson<Campaign>("PATCH", `/api/campaigns/${id}`, { body });
}

async function changeImage(id: number, image: File | null): Promise<void> {
  if (image === null) return void await apiRequest("DELETE", `/api/campaigns/${id}/image`);
  const body = new FormData();
  body.set("image", image);
  await apiRequest("PUT", `/api/campaigns/${id}/image`, { body });
}
