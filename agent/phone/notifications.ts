/**
 * Reads messages to a phone's accounts from `dumpsys notification --noredact`. The format is that of AOSP's
 * NotificationRecord.dump() and MessagingStyle (Android 10 to 15). It was not checked on a real phone, as none was
 * available. The command opens and touches nothing, and costs the phone as much as asking for its battery.
 */
import { createHash } from "node:crypto";
import { isOutOfShape } from "./dump_shape.ts";

export interface ShownReply {
  /** The same for the same reply, in any form in which it is shown again. */
  id: string;
  /** "<device>/<app>/<Android user>". */
  account: string;
  /** "+972…". */
  phone: string;
  text: string;
  /** By the phone's clock, ms since 1970. */
  at: number;
  /** Only the beginning of the text is shown. */
  isCut: boolean;
}

export interface NotificationDump {
  replies: ShownReply[];
  /** A text in it may imitate further replies. Nothing shows which replies are real. */
  mayBeForged: boolean;
  /** Why replies to this phone cannot be read, in English; null = they can. */
  problem: string | null;
}

/** Fewer marks than this follow a text's last visible character. */
const ENDING_CHARS = 40;
/** A longer title is not a number. */
const MAX_TITLE_CHARS = 200;
const APPS: readonly string[] = ["com.whatsapp", "com.whatsapp.w4b"];
/**
 * Android keeps this many notifications of one app and user (MAX_PACKAGE_NOTIFICATIONS in AOSP's
 * NotificationManagerService).
 */
const MOST_CHATS = 50;
/** Notification.FLAG_GROUP_SUMMARY: the notification summarises several chats and is not a chat. */
const SUMMARY_FLAG = 0x200;

/**
 * Reads the output of the command, and skips unknown parts. Spaces at the start of a line are `[^\S\n]`. `\s` also
 * matches line ends: it would retry each of many empty lines up to the last one.
 */
export function readNotifications(output: string, device: string): NotificationDump {
  if (!/^[^\S\n]*(Current Notification Manager state|Notification List):/m.test(output)) {
    const firstLine = output.trim().split("\n")[0] || "nothing";
    return { replies: [], mayBeForged: false, problem: `dumpsys notification says: ${firstLine}` };
  }
  const replies = new Map<string, ShownReply>();
  const chats = new Map<string, Set<string>>();
  let isHidden = false;
  let mayBeForged = false;
  for (const record of output.split(/^(?=[^\S\n]*NotificationRecord\()/m).slice(1)) {
    // A message to another app of the phone must not affect what is read in ours.
    if (APPS.includes(ownerOf(record).app) && isOutOfShape(record)) mayBeForged = true;
    const chat = readChat(record);
    if (chat === null) continue;
    if (chat.isHidden) isHidden = true;
    const account = `${device}/${chat.app}/${chat.user}`;
    chats.set(account, (chats.get(account) ?? new Set()).add(chat.phone));
    for (const message of chat.messages) {
      const reply = { account, phone: chat.phone, isCut: isCut(message.text), ...message };
      const id = idOf(reply);
      replies.set(id, { id, ...reply });
    }
  }
  return {
    replies: [...replies.values()],
    mayBeForged: mayBeForged || [...chats.values()].some(({ size }) => size > MOST_CHATS),
    problem: isHidden ? "the phone hides the texts of notifications" : null,
  };
}

interface Message {
  text: string;
  at: number;
}

interface Chat {
  app: string;
  user: number;
  phone: string;
  messages: Message[];
  isHidden: boolean;
}

/** Returns the chat of a record, or null when it is not one of ours with a single person. */
function readChat(record: string): Chat | null {
  const { app, user } = ownerOf(record);
  if (!APPS.includes(app) || isSummary(record)) return null;
  const extras = readExtras(record);
  if (extras === null || /true/.test(extras.get("android.isGroupConversation") ?? "")) return null;
  const isHidden = ["android.title", "android.text"].some((key) =>
    /\[length=\d+\]$/.test(extras.get(key) ?? "")
  );
  const phone = numberIn(valueOf(extras.get("android.title")) ?? "");
  if (phone === null) return isHidden ? { app, user, phone: "", messages: [], isHidden } : null;
  const when = Number(/^[^\S\n]*when=(\d{12,14})/m.exec(record)?.[1] ?? 0);
  return { app, user, phone, messages: isHidden ? [] : messagesOf(extras, when), isHidden };
}

function ownerOf(record: string): { app: string; user: number } {
  const [, app = "", user = ""] = /pkg=(\S{1,200}) user=UserHandle\{(\d+)\}/.exec(record) ?? [];
  return { app, user: Number(user) };
}

/** Android 14 names the flags; older versions write their sum. */
function isSummary(record: string): boolean {
  const flags = /\bflags=(\S{1,200}?)[\s)]/.exec(record)?.[1] ?? "";
  return flags.includes("GROUP_SUMMARY") || (Number.parseInt(flags, 16) & SUMMARY_FLAG) !== 0;
}

const ENTRY = /^\s*((?:android\.)?[A-Za-z][\w.]*)=(null$|[\w$]+(?:\[\])? ?[([].*)/;

/**
 * Returns key → "Type (value)" of a record's extras. A text may have several lines, and its writer may imitate this
 * format. A key that occurs twice makes the record untrustworthy, and it is not read.
 */
function readExtras(record: string): Map<string, string> | null {
  const lines = record.split("\n");
  const start = lines.findIndex((line) => line.trim() === "extras={");
  if (start < 0) return null;
  const extras = new Map<string, string>();
  let key: string | null = null;
  for (const line of lines.slice(start + 1)) {
    if (line.trim() === "}") return extras;
    const [, next, value = ""] = ENTRY.exec(line) ?? [];
    if (next !== undefined) {
      if (extras.has(next)) return null;
      extras.set(key = next, value);
    } else if (key !== null) extras.set(key, `${extras.get(key)}\n${line}`);
  }
  return null;
}

/** "String (text)" → "text". */
function valueOf(entry: string | undefined): string | null {
  return /^[\w$]+ \(([^]*)\)\s*$/.exec(entry ?? "")?.[1] ?? null;
}

/**
 * A chat's title is the other person's number, "+972 54-371-0968", perhaps with "(2 messages)". A name is not a number.
 */
function numberIn(title: string): string | null {
  if (title.length > MAX_TITLE_CHARS) return null;
  const text = title.replace(/\p{Cf}/gu, "").replace(/\s*\([^()]*\)\s*$/, "").trim();
  if (!/^\+\d[\d\s().\u00a0-]*$/.test(text)) return null;
  const phone = `+${text.replace(/\D/g, "")}`;
  return /^\+[1-9]\d{6,14}$/.test(phone) ? phone : null;
}

/** Returns each message with its time if the list is readable, else only the last one. */
function messagesOf(extras: ReadonlyMap<string, string>, when: number): Message[] {
  const listed = bundlesIn(extras.get("android.messages") ?? "").flatMap(messageIn);
  if (listed.length > 0) return listed;
  const text = valueOf(extras.get("android.text"));
  return text === null || text === "" ? [] : [{ text, at: when }];
}

function bundlesIn(entry: string): string[] {
  return entry.split(/\n[^\S\n]*(?=\[\d+\] Bundle\[)/).slice(1);
}

/**
 * Reads "[0] Bundle[{sender=…, text=…, time=…}]", its keys in any order. A bundle without a sender is the account's
 * own.
 */
function messageIn(bundle: string): Message[] {
  if (!/[{ ]sender(?:_person)?=(?!null)/.test(bundle)) return [];
  const text = /[{ ]text=([^]*?)(?:, (?:time|sender|sender_person|type|uri|extras)=|\}\]\s*$)/.exec(bundle)
    ?.[1];
  const at = /[{ ]time=(\d{12,14})/.exec(bundle)?.[1];
  return text === undefined || at === undefined ? [] : [{ text, at: Number(at) }];
}

function isCut(text: string): boolean {
  return text.slice(-ENDING_CHARS).replace(/[\p{Cf}\s]+$/u, "").endsWith("…");
}

function idOf({ account, phone, at, text }: Omit<ShownReply, "id">): string {
  const plain = text.replace(/\p{Cf}/gu, "");
  return createHash("sha256").update(JSON.stringify([account, phone, at, plain])).digest("hex").slice(0, 32);
}
