/** Brings the phone to where one tap sends one message to one number, and proves that it is there. */
import type { DeliveryReason } from "shared/delivery.ts";
import { type AppScreen, sameDraft } from "./app_screen.ts";
import { awaitScreen, type LostState, type Sight } from "./await_screen.ts";
import { openChat, openPicture } from "./open_chat.ts";
import { type AppAccount, type Phone, PhoneCommandError } from "./phone.ts";
import type { Point } from "./screen.ts";

export interface Message {
  phone: string;
  text: string;
  /** Where on the phone the image lies, or null for a text. */
  imagePath: string | null;
}

export type Prepared =
  | { kind: "ready"; send: Point; uptimeS: number; bootId: string; rowsBefore: string[] }
  | { kind: "not_on_app" }
  | { kind: "lost"; state: LostState }
  | { kind: "not_ready"; reason: DeliveryReason };

type Chat = Extract<AppScreen, { kind: "chat" }>;
type Picture = Extract<AppScreen, { kind: "picture" }>;

/** Rows kept with a tap; more than a screen ever shows of short messages. */
const ROWS_KEPT = 12;
/** A dialog can be the last number's, left on the screen: only the second in a row is this one's. */
const OPENINGS = 3;

/**
 * Opens the chat with the message in it and answers where the send button is.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function prepare(
  phone: Phone,
  account: AppAccount,
  message: Message,
  signal?: AbortSignal,
): Promise<Prepared> {
  return message.imagePath === null
    ? await prepareText(phone, account, message, signal)
    : await preparePicture(phone, account, message, message.imagePath, signal);
}

async function prepareText(
  phone: Phone,
  account: AppAccount,
  message: Message,
  signal?: AbortSignal,
): Promise<Prepared> {
  const isReady = (screen: AppScreen): screen is Chat & { send: Point } =>
    isChatWith(screen, message.phone) && sameDraft(screen.draft, message.text) && screen.send !== null;
  const sight = await open(
    () => openChat(phone, account, { number: message.phone, text: message.text }, signal),
    () => awaitScreen(phone, account.app, isReady, signal),
  );
  if (sight.kind === "shown") {
    const { screen, look } = sight;
    const { uptimeS, bootId } = look;
    return { kind: "ready", send: screen.send, uptimeS, bootId, rowsBefore: rowsOf(screen) };
  }
  if (sight.kind !== "not_shown") return refused(sight);
  const isThere = sight.last !== null && isChatWith(sight.last, message.phone);
  return { kind: "not_ready", reason: isThere ? "draft_mismatch" : "chat_not_opened" };
}

/** The picture screen shows no rows and a name at most, so the chat itself is opened and verified first. */
async function preparePicture(
  phone: Phone,
  account: AppAccount,
  message: Message,
  path: string,
  signal?: AbortSignal,
): Promise<Prepared> {
  const chat = await open(
    () => openChat(phone, account, { number: message.phone, text: null }, signal),
    () => awaitScreen(phone, account.app, (screen) => isChatWith(screen, message.phone), signal),
  );
  if (chat.kind === "not_shown") return { kind: "not_ready", reason: "chat_not_opened" };
  if (chat.kind !== "shown") return refused(chat);
  const isReady = (screen: AppScreen): screen is Picture & { send: Point } =>
    isPictureFor(screen, message) && screen.send !== null;
  const picture = await open(
    () => openPicture(phone, account, { number: message.phone, path, caption: message.text }, signal),
    () => awaitScreen(phone, account.app, isReady, signal),
  );
  if (picture.kind === "not_shown") {
    const isPicture = picture.last?.kind === "picture";
    return { kind: "not_ready", reason: isPicture ? "caption_not_shown" : "chat_not_opened" };
  }
  if (picture.kind !== "shown") return refused(picture);
  const { uptimeS, bootId } = picture.look;
  return { kind: "ready", send: picture.screen.send, uptimeS, bootId, rowsBefore: rowsOf(chat.screen) };
}

export function isChatWith(screen: AppScreen, phone: string): screen is Chat {
  return screen.kind === "chat" && `+${screen.number}` === phone;
}

/** A picture screen names its receiver only in some versions; where it does, it must be the right one. */
export function isPictureFor(screen: AppScreen, message: Pick<Message, "phone" | "text">): screen is Picture {
  return screen.kind === "picture" && sameDraft(screen.caption, message.text) &&
    (screen.number === "" || `+${screen.number}` === message.phone);
}

async function open<S extends AppScreen>(
  start: () => Promise<void>,
  look: () => Promise<Sight<S>>,
): Promise<Sight<S>> {
  let sight: Sight<S> = { kind: "not_shown", last: null };
  let dialogs = 0;
  for (let opening = 0; opening < OPENINGS; opening++) {
    try {
      await start();
    } catch (error) {
      if (!(error instanceof PhoneCommandError)) throw error;
      continue;
    }
    sight = await look();
    if (sight.kind === "shown" || sight.kind === "lost") return sight;
    if (sight.kind === "not_on_app" && ++dialogs === 2) return sight;
  }
  return sight.kind === "not_on_app" ? { kind: "blocked" } : sight;
}

function refused(sight: Exclude<Sight<AppScreen>, { kind: "shown" | "not_shown" }>): Prepared {
  if (sight.kind === "blocked") return { kind: "not_ready", reason: "phone_screen_blocked" };
  return sight;
}

function rowsOf(chat: Chat): string[] {
  return chat.outgoing.slice(-ROWS_KEPT).map((row) => row.fingerprint);
}
