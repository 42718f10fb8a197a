/** What a person typed and has not sent yet, as it is kept in this browser for each user apart. */
import { type CampaignKind, DECLARED_KINDS, type DeclaredKind } from "shared/campaign.ts";

/** The campaign that is being written. */
export interface Draft {
  name: string;
  message: string;
  /** Empty until one was chosen. */
  kind: DeclaredKind | "";
  /** Phone numbers as typed, one a line. */
  numbers: string;
  /** The campaign this draft has become, once it was created. */
  campaignId: number | null;
}

/** What was typed for a campaign that exists, and not yet saved or added. */
export interface CampaignDraft {
  numbers: string;
  /** Its words while they are edited, or null. */
  edit: { name: string; message: string; kind: CampaignKind } | null;
}

/** Where the draft of a user lies, and where that of one campaign does. */
export function draftKey(userId: number, campaignId?: number | null): string {
  return campaignId === undefined ? `draft.${userId}` : `draft.${userId}.${campaignId}`;
}

/** The draft in what was kept; empty where there is none. */
export function readDraft(kept: Record<string, unknown>): Draft {
  const { name, message, kind, numbers, campaignId } = kept;
  return {
    name: textOf(name),
    message: textOf(message),
    kind: kindOf(kind) ?? "",
    numbers: textOf(numbers),
    campaignId: Number.isSafeInteger(campaignId) ? campaignId as number : null,
  };
}

/** The same for a campaign that exists. */
export function readCampaignDraft({ numbers, edit }: Record<string, unknown>): CampaignDraft {
  const words = edit as Record<string, unknown> | null | undefined;
  return {
    numbers: textOf(numbers),
    edit: words
      ? { name: textOf(words.name), message: textOf(words.message), kind: kindOf(words.kind) ?? "undeclared" }
      : null,
  };
}

function kindOf(value: unknown): DeclaredKind | undefined {
  return DECLARED_KINDS.find((kind) => kind === value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
