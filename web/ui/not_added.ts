/** Contacts that were typed or chosen on this screen, and not added to their campaign yet. */
import { useEffect, useSyncExternalStore } from "react";
import type { NotAdded } from "../text/not_added.ts";

const held = new Map<number, NotAdded>();
const listeners = new Set<() => void>();

/** Says what the fields of a campaign's contacts hold, as long as they are on the screen. */
export function useHeldContacts(campaignId: number | null, numbers: string, file: File | undefined): void {
  const hasNumbers = numbers.trim() !== "";
  const holds = hasNumbers ? file ? "both" : "numbers" : file ? "file" : "nothing";
  useEffect(() => {
    if (campaignId === null || holds === "nothing") return;
    setHeld(campaignId, holds);
    return () => setHeld(campaignId, "nothing");
  }, [campaignId, holds]);
}

/** Returns what was typed or chosen for a campaign and would be missing if it were sent now. */
export function useNotAdded(campaignId: number | null): NotAdded {
  return useSyncExternalStore(subscribe, () => held.get(campaignId ?? 0) ?? "nothing");
}

function setHeld(campaignId: number, holds: NotAdded): void {
  if (holds === "nothing") held.delete(campaignId);
  else held.set(campaignId, holds);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
