/** For tests: an advertising client, through the doors of the edge. */
import assert from "node:assert/strict";
import type { Consent } from "shared/consent.ts";
import { type Campaign, campaignSchema, type UploadResult, uploadResultSchema } from "shared/http_api.ts";
import type { Advertiser } from "shared/marketing.ts";
import type { TestPerson } from "./test_app.ts";

type Caller = Pick<TestPerson, "ask">;

export const ADVERTISER: Advertiser = {
  name: "משק הדר",
  address: "מושב נהלל",
  phone: "04-601-0042",
  email: "dana@hadar.example",
  removalLink: false,
};
export const OPT_IN: Consent = { basis: "opt_in", source: "טופס באתר", obtainedOn: "2026-10-01" };

/** Saves the advertiser's details. */
export async function saveProfile(caller: Caller, advertiser: Partial<Advertiser> = {}): Promise<void> {
  const answer = await caller.ask("/api/profile", { method: "PUT", json: { ...ADVERTISER, ...advertiser } });
  assert.equal(answer.status, 200, await answer.clone().text());
}

/** Creates a draft of `kind`; undefined = without the field. */
export async function makeDraft(
  caller: Caller,
  kind: string | undefined,
  message = "שלום",
): Promise<Campaign> {
  const form = new FormData();
  form.set("name", "סתיו");
  form.set("message", message);
  if (kind !== undefined) form.set("kind", kind);
  const answer = await caller.ask("/api/campaigns", { method: "POST", body: form });
  assert.equal(answer.status, 201, await answer.clone().text());
  return campaignSchema.parse(await answer.json());
}

/** Pastes numbers, one per line, with their declaration. */
export async function paste(
  caller: Caller,
  campaign: number,
  numbers: string,
  consent?: Consent,
): Promise<UploadResult> {
  const answer = await caller.ask(`/api/campaigns/${campaign}/contacts/manual`, {
    method: "POST",
    json: { numbers, consent },
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return uploadResultSchema.parse(await answer.json());
}

/** Returns the campaign as its owner sees it. */
export async function show(caller: Caller, campaign: number): Promise<Campaign> {
  return campaignSchema.parse(await (await caller.ask(`/api/campaigns/${campaign}`)).json());
}
