import type { CampaignKind } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";

/** Change of a campaign's image: a file replaces it, null removes it, undefined keeps it. */
export type ImageChange = File | null | undefined;

/** Changes a draft or ready campaign. The image is sent first, because only its content can be refused. */
export async function editCampaign(
  id: number,
  words: { name: string; message: string; kind: CampaignKind },
  image: ImageChange,
): Promise<Campaign> {
  if (image !== undefined) await changeImage(id, image);
  return await apiJson<Campaign>("PATCH", `/api/campaigns/${id}`, { body: words });
}

async function changeImage(id: number, image: File | null): Promise<void> {
  if (image === null) return void await apiRequest("DELETE", `/api/campaigns/${id}/image`);
  const body = new FormData();
  body.set("image", image);
  await apiRequest("PUT", `/api/campaigns/${id}/image`, { body });
}
