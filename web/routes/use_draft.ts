import { useEffect, useState } from "react";
import { type Draft, loadDraft, saveDraft } from "../features/campaigns/draft_store.ts";

/** The draft of a user, kept in the browser with every change. */
export function useDraft(userId: number): [Draft, (changes: Partial<Draft>) => void] {
  const [draft, setDraft] = useState(() => loadDraft(userId));
  useEffect(() => saveDraft(userId, draft), [userId, draft]);
  return [draft, (changes) => setDraft((held) => ({ ...held, ...changes }))];
}
