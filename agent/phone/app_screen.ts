/** Recognises a screen of the messaging app by its ids: a chat, a picture to send, a dialog. */
import { createHash } from "node:crypto";
import { hasDialogPart, isSound, outsideLists, touchable } from "./sound_screen.ts";
import { centre, type Point, type ScreenNode, within } from "./screen.ts";
import {
  activityMeaning,
  CUT_OFF,
  type DialogMeaning,
  dialogMeaning,
  isSystemDialog,
} from "./screen_texts.ts";

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
  }
  /** `number` is as in a chat, or null when the screen names no receiver. */
  | { kind: "picture"; number: string | null; caption: string; send: Point | null }
  | { kind: "dialog"; meaning: DialogMeaning | null; text: string; ok: Point | null }
  /** Only a person can open it: a lock without a PIN is gone after the phone was woken. */
  | { kind: "locked" }
  | { kind: "other" };

/**
 * Returns what the screen shows. `activity` is the focused window, "com.whatsapp/com.whatsapp.Conversation". A dialog
 * has priority: the chat beneath it may still be in the dump, and earlier in it.
 */
export function readAppScreen(nodes: ScreenNode[], app: string, activity = ""): AppScreen {
  if (nodes.some(({ id }) => id.startsWith("com.android.systemui:id/keyguard"))) return { kind: "locked" };
  if (isSystemDialog(activity)) return { kind: "dialog", meaning: null, text: "", ok: null };
  const lost = activity.startsWith(`${app}/`) ? activityMeaning(activity) : null;
  if (lost) return { kind: "dialog", meaning: lost, text: "", ok: null };
  const byId = (id: string) => nodes.find((node) => node.id === `${app}:id/${id}`);
  const dialog = nodes.find((node) => node.id === "android:id/message" && node.text !== "") ??
    nodes.find((node) => node.text !== "" && isOfApp(node, app) && alarming(node) && !isOthers(nodes, node));
  if (dialog) {
    const ok = nodes.find((node) => node.id === "android:id/button1");
    return {
      kind: "dialog",
      // A dialog of another app does not concern this account.
      meaning: isOfApp(dialog, app) ? dialogMeaning(dialog.text) : null,
      text: dialog.text,
      ok: ok ? touchable(nodes, ok) : null,
    };
  }
  if (hasDialogPart(nodes)) return { kind: "dialog", meaning: null, text: "", ok: null };
  // The window in front came after the dump: it would take the touch.
  if (activity !== "" && !activity.startsWith(`${app}/`)) return { kind: "other" };
  const sendButton = byId("send") ?? byId("send_media_btn");
  const send = sendButton ? centre(sendButton) : null;
  const caption = byId("caption");
  const entry = byId("entry");
  const title = outsideLists(nodes, `${app}:id/conversation_contact_name`);
  if (entry) {
    if (!isSound(nodes, { kind: "chat", app, title, box: entry, send: sendButton ?? null })) {
      return { kind: "other" };
    }
    return {
      kind: "chat",
      number: digits(title?.text ?? ""),
      draft: send || !byId("voice_note_btn") ? entry.text : "",
      entry: centre(entry),
      send,
      outgoing: outgoing(nodes, app),
    };
  }
  if (caption) {
    const receiver = byId("recipients_text") ?? title;
    const parts = { kind: "picture", app, title: receiver, box: caption, send: sendButton ?? null } as const;
    if (!isSound(nodes, parts)) return { kind: "other" };
    return {
      kind: "picture",
      number: receiver?.text ? digits(receiver.text) : null,
      caption: caption.text,
      send,
    };
  }
  return { kind: "other" };
}

/** True when the row on a phone is this message. The app drops formatting marks and cuts long texts off. */
export function showsText(rowText: string, text: string): boolean {
  const row = plain(rowText);
  const whole = plain(text);
  if (row === whole) return true;
  const start = plain(rowText.replace(CUT_OFF, ""));
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

function outgoing(nodes: ScreenNode[], app: string): OutgoingRow[] {
  const rows = nodes.filter((node) => node.id === `${app}:id/conversation_text_row`);
  return rows.flatMap((row) => {
    const inside = within(nodes, row);
    const part = (id: string) => inside.find((node) => node.id === `${app}:id/${id}`);
    // Only the site's own messages carry delivery ticks.
    if (!part("status")) return [];
    const text = (part("message_text") ?? part("caption"))?.text ?? "";
    const time = part("date")?.text ?? "";
    const minute = /\d[:.](\d\d)/.exec(time)?.[1];
    return [{
      text,
      fingerprint: fingerprint(text, time),
      minute: minute === undefined ? null : Number(minute),
    }];
  });
}

/** Short and one-way: it is journaled with the tap, and message texts are not stored there twice. */
function fingerprint(text: string, time: string): string {
  return createHash("sha256").update(`${time}\n${text}`).digest("hex").slice(0, 24);
}

function alarming(node: ScreenNode): boolean {
  if (/:id\/(message_text|entry|caption|conversation_contact_name)$/.test(node.id)) return false;
  const meaning = dialogMeaning(node.text);
  return meaning === "banned" || meaning === "logged_out" || meaning === "restricted";
}

/** A chat's messages, and the list of chats with the last message of each. Any person may have written their text. */
const OTHERS = /:id\/(list|conversation_text_row|contact_row_container)$/;

/** True when a node may hold a person's words instead of the app's: a quoted message, the preview of a chat. */
function isOthers(nodes: ScreenNode[], node: ScreenNode): boolean {
  let { depth } = node;
  for (let i = nodes.indexOf(node) - 1; i >= 0 && depth > 0; i--) {
    const above = nodes[i]!;
    if (above.depth >= depth) continue;
    if (OTHERS.test(above.id)) return true;
    depth = above.depth;
  }
  return false;
}

function isOfApp(node: ScreenNode, app: string): boolean {
  return node.app === app || node.app === "";
}

function digits(text: string): string {
  return /^[\s+\d()\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069.]+$/.test(text)
    ? text.replace(/\D/g, "")
    : "";
}

/** The mark at the start of a line of a list or a quotation. The app draws a dot or a bar in its place. */
const LINE_MARK = /^[^\S\n]*[-*•>](?=\s|$)/gm;

function plain(text: string): string {
  return text.replace(LINE_MARK, "").replace(/[*_~`]/g, "").replace(/\s+/g, " ").trim();
}
