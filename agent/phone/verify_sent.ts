/** Looks for the new row that proves a tap. */
import { newRows, sameDraft, showsText } from "./app_screen.ts";
import { awaitScreen, type LostState } from "./await_screen.ts";
import type { AppAccount } from "./phone.ts";
import { isChatWith, type Message } from "./prepare.ts";
import type { HeldPhone } from "./phone_fence.ts";

/** What the chat proves right after a tap. */
export type TapEvidence = { kind: "sent" } | { kind: "none"; lost: LostState | null };

/**
 * Reads until the chat shows a row with our text that was not there before the tap (`rowsBefore`, fingerprints), and no
 * draft. Never throws: an error after the tap only means that nothing is proven.
 */
export async function verifySent(
  phone: HeldPhone,
  account: AppAccount,
  message: Message,
  rowsBefore: readonly string[],
): Promise<TapEvidence> {
  try {
    const awaited = await awaitScreen(
      phone,
      account,
      (screen): screen is typeof screen =>
        isChatWith(screen, message.phone) && !sameDraft(screen.draft, message.text) &&
        newRows(rowsBefore, screen.outgoing).some((row) => showsText(row.text, message.text)),
    );
    if (awaited.kind === "shown") return { kind: "sent" };
    return { kind: "none", lost: awaited.kind === "lost" ? awaited.state : null };
  } catch {
    return { kind: "none", lost: null };
  }
}
