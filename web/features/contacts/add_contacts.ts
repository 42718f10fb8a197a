import type { Consent } from "shared/consent.ts";
import type { UploadResult } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { CONTACTS } from "./text/contacts.ts";

/**
 * Loads a CSV file into a campaign.
 *
 * @throws {ApiError} when the server refuses; another error when the file or the campaign is missing
 */
export async function uploadContacts(
  campaignId: number | null,
  file: File | undefined,
  consent?: Consent,
): Promise<UploadResult> {
  if (campaignId === null || !file) throw new Error(CONTACTS.missingFileOrCampaign);
  const body = new FormData();
  if (consent) body.set("consent", JSON.stringify(consent));
  body.set("file", file);
  return await apiJson<UploadResult>("POST", `/api/campaigns/${campaignId}/contacts`, { body, once: true });
}

/**
 * Adds numbers typed one per line.
 *
 * @throws {ApiError} when the server refuses; another error when numbers or the campaign are missing
 */
export async function addNumbers(
  campaignId: number | null,
  numbers: string,
  consent?: Consent,
): Promise<UploadResult> {
  if (campaignId === null || !numbers.trim()) throw new Error(CONTACTS.missingNumbersOrCampaign);
  return await apiJson<UploadResult>("POST", `/api/campaigns/${campaignId}/contacts/manual`, {
    body: { numbers, consent },
    once: true,
  });
}
