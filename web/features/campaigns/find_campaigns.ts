import type { Campaign } from "shared/http_api.ts";

/** Returns the campaigns with a text in their name or message, ignoring case. */
export function findCampaigns(campaigns: readonly Campaign[], text: string): Campaign[] {
  const wanted = text.toLowerCase();
  return campaigns.filter(({ name, message }) => `${name}\n${message}`.toLowerCase().includes(wanted));
}
