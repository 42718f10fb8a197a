import type { DeclaredKind } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";

export interface NewCampaign {
  name: string;
  message: string;
  kind: DeclaredKind;
  image: File | undefined;
}

/**
 * Creates a draft.
 *
 * @throws {ApiError} when the server refuses it
 */
export async function createCampaign({ name, message, kind, image }: NewCampaign): Promise<Campaign> {
  const body = new FormData();
  body.set("name", name);
  body.set("message", message);
  body.set("kind", kind);
  body.set("status", "draft");
  if (image) body.set("image", image);
  return await apiJson<Campaign>("POST", "/api/campaigns", { body, once: true });
}
