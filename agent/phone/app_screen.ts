/** What a screen of the messaging app shows, told by its ids: a chat, a picture about to be sent, a dialog. */
import { createHash } from "node:crypto";
import { centre, type Point, type ScreenNode, within } from "./screen.ts";
import { CUT_OFF, type DialogMeaning, dialogMeaning } from "./screen_texts.ts";

export interface OutgoingRow {
  text: string;
  /** Text and time as shown: equal for two rows only if they look the same. */
  fingerprint: string;
}

export type AppScreen =
  | {
    kind: "chat";
    /** Digits of the number in the header, or "" when it shows a name. */
    number: string;
    draft: string;
    entry: Point;
    send: Point | null;
    /** The site's own messages in sight, oldest first. */
    outgoing: OutgoingRow[];
  }
  | { kind: "picture"; number: string; caption: string; send: Point | null }
  | { kind: "dialog"; meaning: DialogMeaning | null; text: string; ok: Point | null }
  | { kind: "other" };

/** Tells what the screen shows. A dialog comes first: the chat beneath it may still be in the dump. */
export function readAppScreen(nodes: ScreenNode[], app: string): AppScreen {
  const byId = (id: string) => nodes.find((node) => node.id === `${app}:id/${id}`);
  const dialog = nodes.find((node) => node.id === "android:id/message" && node.text !== "") ??
    nodes.find((node) => node.text !== "" && isOfApp(node, app) && alarming(node));
  if (dialog) {
    const ok = nodes.find((node) => node.id === "android:id/button1");
    return {
      kind: "dialog",
      meaning: dialogMeaning(dialog.text),
      text: dialog.text,
      ok: ok ? centre(ok) : null,
    };
  }
  const number = digits((byId("conversation_contact_name") ?? byId("recipients_text"))?.text ?? "");
  const sendButton = byId("send") ?? byId("send_media_btn");
  const send = sendButton ? centre(sendButton) : null;
  const caption = byId("caption");
  const entry = byId("entry");
  if (entry) {
    return {
      kind: "chat",
      number,
      draft: entry.text,
      entry: centre(entry),
      send,
      outgoing: outgoing(nodes, app),
    };
  }
  if (caption) return { kind: "picture", number, caption: caption.text, send };
  return { kind: "other" };
}

/** True when the row a phone shows is this message: the app drops formatting marks and cuts long texts off. */
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
 * The rows of `after` that were not in `before` (fingerprints), both oldest first. Only the end of a chat is in
 * sight, so the two are laid end on end; rows that look alike count as old: a row missed is safer than one imagined.
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
  // Nothing in common: one long message may fill the screen, but what was there before is no news.
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
    return [{ text, fingerprint: fingerprint(text, part("date")?.text ?? "") }];
  });
}

/** Short and one-way: it is journaled beside the tap, and message texts are not kept there twice. */
function fingerprint(text: string, time: string): string {
  return createHash("sha256").update(`${time}\n${text}`).digest("hex").slice(0, 24);
}

function alarming(node: ScreenNode): boolean {
  if (/:id\/(message_text|entry|caption|conversation_contact_name)$/.test(node.id)) return false;
  const meaning = dialogMeaning(node.text);
  return meaning === "banned" || meaning === "logged_out" || meaning === "restricted";
}

function isOfApp(node: ScreenNode, app: string): boolean {
  return node.app === app || node.app === "";
}

function digits(text: string): string {
  return /^[\s+\d()\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069.]+$/.test(text)
    ? text.replace(/\D/g, "")
    : "";
}

function plain(text: string): string {
  return text.replace(/[*_~`]/g, "").replace(/\s+/g, " ").trim();
}
