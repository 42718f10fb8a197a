/** Brings the phone to the point where one tap sends one message to one number, and proves it. */
import type { DeliveryReason } from "shared/delivery.ts";
import { type AppScreen, sameDraft } from "./app_screen.ts";
import { type AwaitedReading, awaitScreen, type LostState } from "./await_screen.ts";
import { openChat, openPicture } from "./open_chat.ts";
import { type AppAccount, PhoneCommandError } from "./phone.ts";
import { awaitOwnMinute } from "./own_minute.ts";
import type { ScreenReading } from "./read_screen.ts";
import type { Point } from "./screen.ts";
import { namesOtherNumber } from "./screen_texts.ts";
import type { HeldPhone } from "./phone_fence.ts";
import { shapeOf, type UnknownScreen } from "./screen_shape.ts";

export interface Message {
  phone: string;
  text: string;
  /** Path of the image on the phone, or null for a text. */
  imagePath: string | null;
}

export interface Ready {
  kind: "ready";
  send: Point;
  uptimeS: number;
  bootId: string;
  rowsBefore: string[];
  /** Monotonic time of the reading that proves it. */
  readAt: number;
  /** Milliseconds of waiting for a minute of its own before this chat opened. They do not count as opening time. */
  waitedMs: number;
  /** Reads the opened screen once more. */
  readAgain(): Promise<Prepared>;
}

export type Prepared =
  | Ready
  | { kind: "not_on_app" }
  | { kind: "lost"; state: LostState }
  | { kind: "unknown_screen"; screen: UnknownScreen }
  | { kind: "not_ready"; reason: DeliveryReason };

export type Chat = Extract<AppScreen, { kind: "chat" }>;
type Picture = Extract<AppScreen, { kind: "picture" }>;

/** Called around what is typed into a phone. */
export interface Typing {
  /** Words, or a picture with its caption, are about to be typed. */
  begins?(): Promise<void>;
  /** The text is in the chat of another number ("+972…") or account, which the phone opened instead. */
  strays?(number: string, account: string): void;
}

/** Rows kept with a tap: more than a screen ever shows of short messages. */
const ROWS_KEPT = 12;
/** A dialog can be left over from the last number. Only the second one in a row is this number's. */
const OPENINGS = 3;
const STRANGE_OPENINGS = 2;

/**
 * Opens the chat with the message in it and returns the position of the send button.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function prepare(
  phone: HeldPhone,
  account: AppAccount,
  message: Message,
  signal?: AbortSignal,
  typing: Typing = {},
): Promise<Prepared> {
  return message.imagePath === null
    ? await prepareText(phone, account, message, typing, signal)
    : await preparePicture(phone, account, { ...message, imagePath: message.imagePath }, typing, signal);
}

async function prepareText(
  phone: HeldPhone,
  account: AppAccount,
  message: Message,
  typing: Typing,
  signal?: AbortSignal,
): Promise<Prepared> {
  const isReady = (screen: AppScreen): screen is Chat & { send: Point } =>
    isChatWith(screen, message.phone) && sameDraft(screen.draft, message.text) && screen.send !== null;
  const openDraft = () =>
    open(
      account,
      message.phone,
      () => openChat(phone, account, { number: message.phone, text: message.text }, signal),
      async (opened) => {
        const awaited = await awaitScreen(phone, account, isReady, { opened, signal });
        const { user = account.user, shown = null } = awaited.kind === "not_shown"
          ? awaited.reading ?? {}
          : {};
        const isStray = shown?.kind === "chat" && shown.number !== "" &&
          sameDraft(shown.draft, message.text) &&
          (user !== account.user || `+${shown.number}` !== message.phone);
        if (isStray) typing.strays?.(`+${shown.number}`, `${account.device}/${account.app}/${user}`);
        return awaited;
      },
    );
  const beganAt = phone.clock.monotonic();
  let waitedMs = 0;
  await typing.begins?.();
  let opened = await openDraft();
  if (
    opened.kind === "shown" &&
    await awaitOwnMinute(phone, opened.screen.outgoing, message.text, { account, signal })
  ) {
    waitedMs = phone.clock.monotonic() - beganAt;
    opened = await openDraft();
  }
  const judge = (awaited: typeof opened): Prepared => {
    if (awaited.kind === "shown") {
      const readAgain = async () =>
        judge(dialogAside(await awaitScreen(phone, account, isReady, { signal })));
      return { ...readyIn(phone, awaited), rowsBefore: rowsOf(awaited.screen), waitedMs, readAgain };
    }
    if (awaited.kind !== "not_shown") return refused(awaited);
    const isThere = awaited.last !== null && isChatWith(awaited.last, message.phone);
    return notReady(awaited, isThere ? "draft_mismatch" : notOpened(awaited.last));
  };
  return judge(opened);
}

/** The picture screen shows no rows, so the chat itself is opened and verified first. */
async function preparePicture(
  phone: HeldPhone,
  account: AppAccount,
  message: Message & { imagePath: string },
  typing: Typing,
  signal?: AbortSignal,
): Promise<Prepared> {
  const openRows = () => openAsItIs(phone, account, message.phone, signal);
  const beganAt = phone.clock.monotonic();
  let waitedMs = 0;
  let chat = await openRows();
  if (
    chat.kind === "shown" &&
    await awaitOwnMinute(phone, chat.screen.outgoing, message.text, { account, signal })
  ) {
    waitedMs = phone.clock.monotonic() - beganAt;
    chat = await openRows();
  }
  if (chat.kind === "not_shown") return notReady(chat, notOpened(chat.last));
  if (chat.kind !== "shown") return refused(chat);
  const rowsBefore = rowsOf(chat.screen);
  const isReady = (screen: AppScreen): screen is Picture & { send: Point } =>
    isPictureFor(screen, message) && screen.send !== null;
  await typing.begins?.();
  const content = { number: message.phone, path: message.imagePath, caption: message.text };
  const picture = await open(
    account,
    message.phone,
    () => openPicture(phone, account, content, signal),
    (opened) => awaitScreen(phone, account, isReady, { opened, shareWith: message.phone, signal }),
  );
  const judge = (awaited: typeof picture): Prepared => {
    if (awaited.kind === "shown") {
      const readAgain = async () =>
        judge(dialogAside(await awaitScreen(phone, account, isReady, { signal })));
      return { ...readyIn(phone, awaited), rowsBefore, waitedMs, readAgain };
    }
    if (awaited.kind !== "not_shown") return refused(awaited);
    // A picture to somebody else says nothing about the captions of this app.
    const isWithoutCaption = awaited.last?.kind === "picture" &&
      !sameDraft(awaited.last.caption, message.text);
    return notReady(awaited, isWithoutCaption ? "caption_not_shown" : "chat_not_opened");
  };
  return judge(picture);
}

/**
 * Opens the chat with a number and its draft as they are. With `orNamed`, a chat whose title is a name will do: that
 * proves no number, so nothing may be sent there.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export function openAsItIs(
  phone: HeldPhone,
  account: AppAccount,
  number: string,
  signal?: AbortSignal,
  { orNamed = false }: { orNamed?: boolean } = {},
): Promise<AwaitedReading<Chat>> {
  const isIt = (screen: AppScreen): screen is Chat =>
    screen.kind === "chat" && (`+${screen.number}` === number || (orNamed && screen.number === ""));
  return open(
    account,
    number,
    () => openChat(phone, account, { number, text: null }, signal),
    (opened) => awaitScreen(phone, account, isIt, { opened, signal }),
  );
}

function readyIn(
  { clock }: HeldPhone,
  { screen, reading }: { screen: { send: Point }; reading: ScreenReading },
) {
  const { uptimeS, bootId } = reading;
  return { kind: "ready" as const, send: screen.send, uptimeS, bootId, readAt: clock.monotonic() };
}

/** One dialog alone proves nothing about the number: see OPENINGS. */
function dialogAside<S extends AppScreen>(awaited: AwaitedReading<S>): AwaitedReading<S> {
  return awaited.kind === "not_on_app" ? { kind: "blocked" } : awaited;
}

export function isChatWith(screen: AppScreen, phone: string): screen is Chat {
  return screen.kind === "chat" && `+${screen.number}` === phone;
}

/**
 * A picture's receiver must be the number itself. A name proves no number, as in a chat, and a screen that names nobody
 * may send to anybody: the intent's jid is a wish.
 */
export function isPictureFor(screen: AppScreen, message: Pick<Message, "phone" | "text">): screen is Picture {
  return screen.kind === "picture" && sameDraft(screen.caption, message.text) &&
    `+${screen.number}` === message.phone;
}

/**
 * Opens a screen until it is shown. A screen of the app that no file knows ends it, when it was there after two openings:
 * the first may have shown a screen that was just being drawn.
 */
async function open<S extends AppScreen>(
  account: AppAccount,
  number: string,
  start: () => Promise<string>,
  read: (opened: string) => Promise<AwaitedReading<S>>,
): Promise<AwaitedReading<S>> {
  let awaited: AwaitedReading<S> = { kind: "not_shown", last: null, reading: null };
  let dialogs = 0;
  let strange = 0;
  for (let opening = 0; opening < OPENINGS; opening++) {
    let opened: string;
    try {
      opened = await start();
    } catch (error) {
      if (!(error instanceof PhoneCommandError)) throw error;
      continue;
    }
    awaited = await read(opened);
    if (awaited.kind === "shown" || awaited.kind === "lost" || awaited.kind === "unknown") return awaited;
    if (awaited.kind === "not_shown" && isStrange(awaited) && ++strange === STRANGE_OPENINGS) {
      return { kind: "unknown", screen: shapeOf(awaited.reading!, account) };
    }
    if (awaited.kind !== "not_on_app" || namesOtherNumber(awaited.text, number)) continue;
    if (++dialogs === 2) return awaited;
  }
  return awaited.kind === "not_on_app" ? { kind: "blocked" } : awaited;
}

/** Returns whether a screen of the app was there that no file knows, or knows only in part. */
export function isStrange({ last }: { last: AppScreen | null }): boolean {
  if (last?.kind === "chat") return !last.isWhole;
  if (last?.kind === "picture") return last.send === null || last.number === null;
  return last?.kind === "other" && last.isStrange;
}

function refused(awaited: Exclude<AwaitedReading<AppScreen>, { kind: "shown" | "not_shown" }>): Prepared {
  if (awaited.kind === "blocked") return { kind: "not_ready", reason: "phone_screen_blocked" };
  if (awaited.kind === "unknown") return { kind: "unknown_screen", screen: awaited.screen };
  return awaited.kind === "lost" ? awaited : { kind: "not_on_app" };
}

/**
 * A name in the header is that of a saved contact. Two contacts can have the same name, so it does not prove the
 * number.
 */
function notOpened(last: AppScreen | null): DeliveryReason {
  return last?.kind === "chat" && last.number === "" ? "chat_titled_by_name" : "chat_not_opened";
}

function notReady(
  awaited: Extract<AwaitedReading<AppScreen>, { kind: "not_shown" }>,
  reason: DeliveryReason,
): Prepared {
  return { kind: "not_ready", reason: awaited.last?.kind === "locked" ? "phone_screen_blocked" : reason };
}

function rowsOf(chat: Chat): string[] {
  return chat.outgoing.slice(-ROWS_KEPT).map((row) => row.fingerprint);
}
