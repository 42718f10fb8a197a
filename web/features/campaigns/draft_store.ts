/** What a person typed and has not sent yet, kept in this browser for each user apart. */

export interface Draft {
  name: string;
  message: string;
  /** Phone numbers as typed, one a line. */
  numbers: string;
  /** The campaign this draft has become, once it was created. */
  campaignId: number | null;
}

export const EMPTY_DRAFT: Draft = { name: "", message: "", numbers: "", campaignId: null };

/** The stored draft of a user; empty when there is none or it can't be read. */
export function loadDraft(userId: number): Draft {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "{}");
    return {
      name: textOf(stored.name),
      message: textOf(stored.message),
      numbers: textOf(stored.numbers),
      campaignId: Number.isSafeInteger(stored.campaignId) ? stored.campaignId : null,
    };
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Keeps the draft of a user; an empty one leaves nothing behind. */
export function saveDraft(userId: number, draft: Draft): void {
  try {
    const isEmpty = !draft.name && !draft.message && !draft.numbers && draft.campaignId === null;
    if (isEmpty) localStorage.removeItem(keyOf(userId));
    else localStorage.setItem(keyOf(userId), JSON.stringify(draft));
  } catch {
    // A full or closed storage costs the draft on a reload, not the work on the screen.
  }
}

function keyOf(userId: number): string {
  return `draft.${userId}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
