/** Looks for the new row that proves a tap. */
import { newRows, sameDraft, showsText } from "./app_screen.ts";
import { type AwaitedReading, awaitScreen, type LostState } from "./await_screen.ts";
import type { AppAccount } from "./phone.ts";
import { type Chat, isChatWith, type Message } from "./prepare.ts";
import type { HeldPhone } from "./phone_fence.ts";
import { shapeOfStrangeRow, type UnknownScreen } from "./screen_shape.ts";

/** What the chat proves right after a tap. `unknown` is a row of our message that no screen file knows. */
export type TapEvidence =
  | { kind: "sent" }
  | { kind: "none"; lost: LostState | null; unknown: UnknownScreen | null };

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
      (screen): screen is Chat =>
        isChatWith(screen, message.phone) && !sameDraft(screen.draft, message.text) &&
        newRows(rowsBefore, screen.outgoing).some((row) => showsText(row.text, message.text, account.words)),
      { afterTap: true },
    );
    if (awaited.kind === "shown") return { kind: "sent" };
    const lost = awaited.kind === "lost" ? awaited.state : null;
    return { kind: "none", lost, unknown: strangeRow(awaited, account, message) };
  } catch {
    return { kind: "none", lost: null, unknown: null };
  }
}

/** With rows that nobody knows, every further message would end without a proof. */
function strangeRow(
  awaited: AwaitedReading<Chat>,
  account: AppAccount,
  message: Message,
): UnknownScreen | null {
  if (awaited.kind !== "not_shown" || awaited.last === null || message.text === "") return null;
  const { last, reading } = awaited;
  if (!isChatWith(last, message.phone) || sameDraft(last.draft, message.text)) return null;
  const shows = (text: string) => showsText(text, message.text, account.words);
  if (last.outgoing.some(({ text }) => shows(text))) return null;
  return shapeOfStrangeRow(reading!, account, shows);
}
