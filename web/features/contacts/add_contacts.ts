import type { Consent } from "shared/consent.ts";
import type { UploadResult } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { CONTACTS } from "./text/contacts.ts";

/** Loads a CSV file into a campaign. Throws when either is missing, or ApiError when the server refuses. */
export async function uploadContacts(
  campaignId: number | null,
  file: File | undefined,
  consent?: Consent,
): Promise<UploadResult> {
  if (campaignId === null || !file) throw new Error(CONTACTS.missingFileOrCampaign);
  const body = new FormData();
  if (consent) body.set("consent", JSON.stringify(consent));
  body.set("file", file);
  return await apiJson<UploadResult>("POST", `/api/campaigns/${campaignId}/contacts`, { body });
}

/** Adds numbers typed one a line. Throws when there are none or no campaign, or ApiError. */
export async function addNumbers(
  campaignId: number | null,
  numbers: string,
  consent?: Consent,
): Promise<UploadResult> {
  if (campaignId === null || !numbers.trim()) throw new Error(CONTACTS.missingNumbersOrCampaign);
  return await apiJson<UploadResult>("POST", `/api/campaigns/${campaignId}/contacts/manual`, {
    body: { numbers, consent },
  });
}
