import type { Campaign } from "shared/http_api.ts";
import { apiJson } from "../../api_client.ts";

/** Changes the words of a draft or ready campaign. */
export async function editCampaign(id: number, words: { name: string; message: string }): Promise<Campaign> {
  return await apiJson<Campaign>("PATCH", `/api/campaigns/${id}`, { body: words });
}
