/** Typed text that was not sent yet, stored in this browser separately for each user. */
import { DECLARED_KINDS, type DeclaredKind } from "shared/campaign.ts";
import type { CampaignWords } from "shared/http_api.ts";
import type { SavedMessage } from "shared/saved_api.ts";

/** The campaign that is being written. */
export interface Draft {
  name: string;
  message: string;
  /** Empty until the person chooses one. */
  kind: DeclaredKind | "";
  /** The saved message that it begins with, and the address of its image; null = none. */
  saved: { id: number; imageUrl: string | null } | null;
  /** Phone numbers as typed, one a line. */
  numbers: string;
  /** Id of the campaign created from this draft; null before its creation. */
  campaignId: number | null;
}

/** Text typed for an existing campaign, not yet saved or added. */
export interface CampaignDraft {
  numbers: string;
  /** Its words during an edit, or null. */
  edit: CampaignEdit | null;
}

export interface CampaignEdit extends CampaignWords {
  /** The words as they were when the edit began: a save does not overwrite others. Null in an older browser's draft. */
  was: CampaignWords | null;
}

/** Returns the beginning of an edit. */
export function beginEdit({ name, message, kind }: CampaignWords): CampaignEdit {
  return { name, message, kind, was: { name, message, kind } };
}

/** Returns the storage key of a user's draft, or of the draft of one campaign. */
export function draftKey(userId: number, campaignId?: number | null): string {
  return campaignId === undefined ? `draft.${userId}` : `draft.${userId}.${campaignId}`;
}

/** Returns the stored draft; an empty one if nothing was stored. */
export function readDraft(kept: Record<string, unknown>): Draft {
  const { name, message, kind, saved, numbers, campaignId } = kept;
  return {
    name: textOf(name),
    message: textOf(message),
    kind: kindOf(kind) ?? "",
    saved: savedOf(saved),
    numbers: textOf(numbers),
    campaignId: Number.isSafeInteger(campaignId) ? campaignId as number : null,
  };
}

/** Returns the stored draft of an existing campaign. */
export function readCampaignDraft({ numbers, edit }: Record<string, unknown>): CampaignDraft {
  const words = edit as Record<string, unknown> | null | undefined;
  return {
    numbers: textOf(numbers),
    edit: words ? { ...wordsOf(words), was: words.was ? wordsOf(words.was as typeof words) : null } : null,
  };
}

/** Returns the draft with the words of a saved message; a name that was typed stays. */
export function withSaved(draft: Draft, { id, name, message, kind, imageUrl }: SavedMessage): Draft {
  return {
    ...draft,
    name: draft.name.trim() || name,
    message,
    kind: kindOf(kind) ?? "",
    saved: { id, imageUrl },
  };
}

function savedOf(value: unknown): Draft["saved"] {
  const { id, imageUrl } = (value ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(id)) return null;
  // An address of this server: what is stored in a browser may be changed there.
  const isOwn = typeof imageUrl === "string" && /^\/api\/saved-messages\/\d+\/image\?/.test(imageUrl);
  return { id: id as number, imageUrl: isOwn ? imageUrl : null };
}

function wordsOf({ name, message, kind }: Record<string, unknown>): CampaignWords {
  return { name: textOf(name), message: textOf(message), kind: kindOf(kind) ?? "undeclared" };
}

function kindOf(value: unknown): DeclaredKind | undefined {
  return DECLARED_KINDS.find((kind) => kind === value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
