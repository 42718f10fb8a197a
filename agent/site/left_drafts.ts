/** Says whether words of ours may still be in a chat of a phone, where a person could send them. */
import { withNotice } from "shared/standing.ts";
import type { Site } from "./site.ts";

/** A delivery needs less from its draft to its proof, and a draft that is left behind is cleared at once. */
const STAYS_MS = 60_000;
/** The app of such an account shows no chats. */
const SHOWS_NO_CHATS = ["banned", "logged_out"];

/** Returns a phone's detail for the inventory, with the notice of a draft before it if there is one. */
export function withLeftDraft(site: Site, device: string, stateDetail: string | null): string | null {
  return hasLeftDraft(site, device) ? withNotice("draft_left", stateDetail) : stateDetail;
}

function hasLeftDraft({ journal, pool, clock }: Site, device: string): boolean {
  return journal.drafts.of(device).some(({ account, at }) => {
    const state = pool.stateOf(account);
    if (SHOWS_NO_CHATS.includes(state)) return false;
    return state !== "ok" || Math.abs(clock.now() - at) >= STAYS_MS;
  });
}
