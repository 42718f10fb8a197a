/** Recognises a screen of the messaging app by its ids: a chat, a picture to send, a dialog. */
import { createHash } from "node:crypto";
import type { IdRole } from "../screens/screen_file.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import { SHIPPED_WORDS } from "../screens/shipped_files.ts";
import { titleNumber } from "./number_text.ts";
import { centre, type Point, type ScreenNode, within } from "./screen.ts";
import {
  above,
  isBox,
  isButtonOf,
  isDialogPart,
  isList,
  isSound,
  numberOf,
  outsideLists,
  type Parts,
  touchable,
} from "./sound_screen.ts";
import { type DialogMeaning, dialogMeaning } from "./screen_texts.ts";

export interface OutgoingRow {
  text: string;
  /** Text and time as shown. Equal for two rows only if they look the same. */
  fingerprint: string;
  /** Minute of the shown time, or null when it has another form. */
  minute: number | null;
}

export type AppScreen =
  | {
    kind: "chat";
    /** Digits of the number in the header, or "" when it shows a name. */
    number: string;
    /** "" when the box is empty. It then holds its hint, and only the button beside it shows the difference. */
    draft: string;
    entry: Point;
    send: Point | null;
    /** The site's own messages in sight, oldest first. */
    outgoing: OutgoingRow[];
    /** False = neither a known send button nor a known voice button. */
    isWhole: boolean;
  }
  /** `number` is as in a chat, or null when the screen names no receiver where a file says so. */
  | { kind: "picture"; number: string | null; caption: string; send: Point | null }
  /** `isKnown` is false for words of the app that no screen file has. A dialog of another program is no concern. */
  | { kind: "dialog"; meaning: DialogMeaning | null; text: string; ok: Point | null; isKnown: boolean }
  /** Only a person can open it: a lock without a PIN is gone after the phone was woken. */
  | { kind: "locked" }
  /** `isStrange`: it is the app's own, and no screen file has its ids or its activity, or its parts contradict them. */
  | { kind: "other"; isStrange: boolean };

/**
 * Returns what the screen shows, by the ids and words that are known for the account. `activity` is the focused window,
 * "com.whatsapp/com.whatsapp.Conversation". A dialog has priority: the chat beneath it may still be in the dump, and
 * earlier in it.
 */
export function readAppScreen(
  nodes: ScreenNode[],
  app: string,
  activity = "",
  words: ScreenWords = SHIPPED_WORDS,
): AppScreen {
  const keyguard = words.ids("keyguard", app);
  if (nodes.some(({ id }) => keyguard.some((start) => id.startsWith(start)))) return { kind: "locked" };
  const known = { kind: "dialog", text: "", ok: null, isKnown: true } as const;
  if (words.isSystemDialog(activity)) return { ...known, meaning: null };
  const inFront = activity.startsWith(`${app}/`) ? words.activityKind(activity) : null;
  if (inFront === "banned" || inFront === "logged_out") return { ...known, meaning: inFront };
  const find = (role: IdRole) => findRole(nodes, words.ids(role, app));
  const messages = words.ids("dialogMessage", app);
  const lists = listIds(words, app);
  const caption = find("caption");
  const entry = find("entry");
  const composer = entry ?? outsideLists(nodes, words.ids("caption", app), lists) ??
    nodes.find((node) => isBox(node) && isOfApp(node, app));
  const alarm = findAlarm(nodes, app, words);
  // The app speaks alone on a page of its own. Beside a box or a list the words may be a person's.
  const isPage = !composer && !nodes.some((node) => isList(node, lists));
  const dialogs = nodes.filter((node) => messages.includes(node.id) && node.text !== "");
  const dialog = dialogs[0] ??
    (isPage ? alarm : undefined);
  if (dialog) {
    // Of two dialogs one's words might be agreed to with the other's button.
    const button = dialogs.length > 1 ? undefined : find("dialogOk");
    const ok = button && agreesTo(nodes, dialog, button, words) ? button : undefined;
    // A dialog of another app does not concern this account.
    const isOurs = isOfApp(dialog, app);
    return {
      kind: "dialog",
      meaning: isOurs ? dialogMeaning(dialog.text, words) : null,
      text: dialog.text,
      ok: ok && isButtonOf(nodes, dialog, ok) ? touchable(nodes, ok) : null,
      isKnown: !isOurs || inFront === "in_the_way" || words.dialogKind(dialog.text) !== null,
    };
  }
  const dialogPart = nodes.find(isDialogPart);
  if (dialogPart) {
    return { ...known, meaning: null, isKnown: inFront === "in_the_way" || !isOfApp(dialogPart, app) };
  }
  // The window in front came after the dump: it would take the touch.
  if (activity !== "" && !activity.startsWith(`${app}/`)) return { kind: "other", isStrange: false };
  // Alarming words in a window over the chat are no message of the chat.
  if (alarm && composer && windowOf(nodes, alarm) !== windowOf(nodes, composer)) {
    return { kind: "other", isStrange: true };
  }
  const isSoundWith = (parts: Pick<Parts, "kind" | "title" | "box" | "send">) =>
    isSound(nodes, { ...parts, app, lists, words });
  const sendButton = find("send") ?? null;
  const send = sendButton ? centre(sendButton) : null;
  const title = outsideLists(nodes, words.ids("contactName", app), lists);
  if (entry) {
    if (!isSoundWith({ kind: "chat", title, box: entry, send: sendButton })) {
      return { kind: "other", isStrange: true };
    }
    const isEmptyKnown = find("voiceButton") !== undefined;
    return {
      kind: "chat",
      number: numberOf(title, words),
      draft: send || !isEmptyKnown ? entry.text : "",
      entry: centre(entry),
      send,
      outgoing: outgoing(nodes, app, words),
      isWhole: send !== null || isEmptyKnown,
    };
  }
  if (caption) {
    const receivers = words.ids("recipients", app).flatMap((id) => outsideLists(nodes, [id], lists) ?? [])
      .filter(({ text, description }) => text + description !== "");
    const receiver = receivers[0] ?? null;
    const isOne = receivers.every((other) => numberOf(other, words) === numberOf(receiver, words));
    if (!isOne || !isSoundWith({ kind: "picture", title: receiver, box: caption, send: sendButton })) {
      return { kind: "other", isStrange: true };
    }
    return {
      kind: "picture",
      number: receiver ? numberOf(receiver, words) : null,
      caption: caption.text,
      send,
    };
  }
  const isOwn = activity.startsWith(`${app}/`) && nodes.some((node) => isOfApp(node, app) && node.id !== "");
  return { kind: "other", isStrange: isOwn && (inFront === null || alarm !== undefined) };
}

/** True when the row on a phone is this message. The app drops formatting marks and cuts long texts off. */
export function showsText(rowText: string, text: string, words: ScreenWords = SHIPPED_WORDS): boolean {
  const row = plain(rowText);
  const whole = plain(text);
  if (row === whole) return true;
  const start = plain(words.withoutCutOff(rowText));
  return start !== row && start.length >= 200 && whole.startsWith(start);
}

/** True when a draft box holds exactly this text. */
export function sameDraft(draft: string, text: string): boolean {
  return draft.replaceAll("\r\n", "\n") === text.replaceAll("\r\n", "\n");
}

/**
 * Returns the rows of `after` that are not in `before` (fingerprints), both oldest first. Only the end of a chat is in
 * sight, so the end of `before` is looked for in `after`. Rows that look alike count as old: a missed row is safer than
 * a false one.
 */
export function newRows(before: readonly string[], after: readonly OutgoingRow[]): OutgoingRow[] {
  if (before.length === 0) return [...after];
  for (let added = 0; added < after.length; added++) {
    const old = after.slice(0, after.length - added);
    const overlap = Math.min(old.length, before.length);
    const tail = before.slice(before.length - overlap);
    if (old.slice(old.length - overlap).every((row, i) => row.fingerprint === tail[i])) {
      return after.slice(after.length - added);
    }
  }
  // No row in common: one long message may fill the screen, but a row that was there before is not new.
  return after.slice(-1).filter((row) => !before.includes(row.fingerprint));
}

function outgoing(nodes: ScreenNode[], app: string, words: ScreenWords): OutgoingRow[] {
  const rowIds = words.ids("row", app);
  return nodes.filter(({ id }) => rowIds.includes(id)).flatMap((row) => {
    const inside = within(nodes, row);
    const part = (role: IdRole) => findRole(inside, words.ids(role, app));
    // Only the site's own messages carry delivery ticks.
    if (!part("rowStatus")) return [];
    const text = part("rowText")?.text ?? "";
    const time = part("rowDate")?.text ?? "";
    const minute = /\d[:.](\d\d)/.exec(time)?.[1];
    return [{
      text,
      fingerprint: fingerprint(text, time),
      minute: minute === undefined ? null : Number(minute),
    }];
  });
}

/** Returns the first node with the best of some ids. */
function findRole(nodes: readonly ScreenNode[], ids: readonly string[]): ScreenNode | undefined {
  for (const id of ids) {
    const found = nodes.find((node) => node.id === id);
    if (found) return found;
  }
}

/** Short and one-way: it is journaled with the tap, and message texts are not stored there twice. */
function fingerprint(text: string, time: string): string {
  return createHash("sha256").update(`${time}\n${text}`).digest("hex").slice(0, 24);
}

/** Returns a node with words about a lost account, outside of any dialog and any list of people's words. */
function findAlarm(nodes: ScreenNode[], app: string, words: ScreenWords): ScreenNode | undefined {
  const ofPeople = (["rowText", "entry", "caption", "contactName", "recipients"] as const).flatMap((role) =>
    words.ids(role, app)
  );
  const lists = listIds(words, app);
  return nodes.find((node) => {
    if (node.text === "" || !isOfApp(node, app) || ofPeople.includes(node.id)) return false;
    const meaning = dialogMeaning(node.text, words);
    const isAlarming = meaning === "banned" || meaning === "logged_out" || meaning === "restricted";
    return isAlarming && !above(nodes, node).some((outer) => isList(outer, lists));
  });
}

/**
 * True for a button that agrees to a dialog and does nothing else. A question "send to …?" must name nobody beside the
 * one that it asks about: with a title or a row for somebody else, nobody knows who gets it.
 */
function agreesTo(
  nodes: readonly ScreenNode[],
  message: ScreenNode,
  button: ScreenNode,
  words: ScreenWords,
): boolean {
  const labels = [button.text, button.description].filter((label) => label !== "");
  const numbersOf = (text: string) => words.shareReceivers(text).map((one) => titleNumber(one, words));
  const asked = numbersOf(message.text);
  if (asked.length === 0) return labels.length > 0 && labels.every((label) => words.isOkButton(label));
  const isAgreement = (label: string) => words.isOkButton(label) || words.isSendButton(label);
  const window = windowOf(nodes, message);
  // In a flat dump nobody sees what belongs to the dialog.
  if (window === message || windowOf(nodes, button) !== window) return false;
  const isAsked = (number: string) => number !== "" && asked.includes(number);
  const namesNoOther = (text: string) => {
    if (text === "" || isAgreement(text) || isAsked(titleNumber(text, words))) return true;
    const numbers = numbersOf(text);
    return numbers.length > 0 && numbers.every(isAsked);
  };
  return labels.length > 0 && labels.every(isAgreement) &&
    [window, ...within(nodes, window)].every((node) =>
      OTHER_BUTTON.test(node.id) || namesNoOther(node.text) && namesNoOther(node.description)
    );
}

/** Returns the window of a node: the outermost node above it. */
function windowOf(nodes: readonly ScreenNode[], node: ScreenNode): ScreenNode {
  return above(nodes, node).at(-1) ?? node;
}

/** Returns the ids of what holds people's words: a chat's messages, and chats with the last message of each. */
function listIds(words: ScreenWords, app: string): string[] {
  return (["chatList", "row", "chatRow"] as const).flatMap((role) => [...words.ids(role, app)]);
}

/** Returns whether a node is of the app; a dump of an old Android names no package. */
export function isOfApp(node: ScreenNode, app: string): boolean {
  return node.app === app || node.app === "";
}

/** The buttons of Android's dialogs that do not agree. */
const OTHER_BUTTON = /^android:id\/button[23]$/;

/** The mark at the start of a line of a list or a quotation. The app draws a dot or a bar in its place. */
const LINE_MARK = /^[^\S\n]*[-*•>](?=\s|$)/gm;

function plain(text: string): string {
  return text.replace(LINE_MARK, "").replace(/[*_~`]/g, "").replace(/\s+/g, " ").trim();
}
