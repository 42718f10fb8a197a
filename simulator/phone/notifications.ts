/** Prints `dumpsys notification` in the format of AOSP's NotificationManagerService. Each unread chat is one record. */
import type { ChatRow, MessagingApp } from "./messaging_app.ts";
import { chatTitle } from "./screens.ts";
import type { VirtualPhone } from "./virtual_phone.ts";
import type { ShCall } from "./sh_call.ts";

/** Where a phone cuts off a text whose rest it does not show. */
const CUT_AFTER_CHARS = 3;

/** Runs `dumpsys notification [--noredact]`. */
export function notifications(phone: VirtualPhone, { args, out }: ShCall): number {
  const { liar } = phone.context;
  if (liar.lies("notificationsRefused")) {
    out("Permission Denial: can't dump NotificationManager from from pid=4242, uid=2000\n");
    return 0;
  }
  const isHidden = !args.includes("--noredact") || liar.lies("notificationsHidden");
  out("Current Notification Manager state:\n  Notification List:\n");
  for (const account of phone.accounts) {
    if (account.unread.size === 0) continue;
    const records = [...account.unread].flatMap(([number, rows]) => recordsOf(phone, account, number, rows));
    if (records.length > 1) records.unshift(summaryOf(account));
    for (const record of records) out(isHidden ? hidden(record) : record);
  }
  out("  mSoundNotificationKey=null\n  mVibrateNotificationKey=null\n");
  return 0;
}

function recordsOf(
  phone: VirtualPhone,
  account: MessagingApp,
  number: string,
  rows: readonly ChatRow[],
): string[] {
  const { liar } = phone.context;
  const title = chatTitle(phone, number);
  const texts = rows.map(({ text, at }) => ({
    at,
    text: liar.liesAbout("notificationCut", `${number}/${at}`)
      ? `${Array.from(text).slice(0, CUT_AFTER_CHARS).join("")}…`
      : liar.liesAbout("notificationMarked", `${number}/${at}`)
      ? `\u202b${text}\u202c\u200f`
      : text,
  }));
  const last = texts.at(-1)!;
  const isPacked = liar.lies("notificationPacked");
  const messages = texts.map(({ text, at }, index) =>
    isPacked
      ? `          [${index}] Bundle[mParcelledData.dataSize=${432 + text.length}]`
      : `          [${index}] Bundle[{extras=Bundle[{}], sender_person=android.app.Person@5c2d1f, sender=${title}, text=${text}, time=${at}}]`
  );
  const record = recordText(account, { id: 1, tag: number, flags: "0x10", when: last.at }, [
    `android.title=String (${title})`,
    "android.reduced.images=Boolean (true)",
    "android.subText=null",
    "android.template=String (android.app.Notification$MessagingStyle)",
    `android.text=String (${last.text})`,
    "android.isGroupConversation=Boolean (false)",
    `android.messages=Parcelable[] (${texts.length})\n${messages.join("\n")}`,
  ]);
  return liar.lies("notificationTwice") ? [record, record] : [record];
}

function summaryOf(account: MessagingApp): string {
  const count = [...account.unread.values()].reduce((sum, rows) => sum + rows.length, 0);
  const newest = Math.max(...[...account.unread.values()].flat().map(({ at }) => at));
  return recordText(account, { id: 2, tag: "null", flags: "0x210", when: newest }, [
    "android.title=String (WhatsApp)",
    `android.text=String (${count} הודעות מ-${account.unread.size} צ'אטים)`,
    "android.summaryText=null",
  ]);
}

interface RecordFacts {
  id: number;
  tag: string;
  flags: string;
  when: number;
}

function recordText(
  { traits }: MessagingApp,
  { id, tag, flags, when }: RecordFacts,
  extras: string[],
): string {
  const { app, user } = traits;
  const key = `${user}|${app}|${id}|${tag}|10234`;
  return [
    `    NotificationRecord(0x0d2f7a41: pkg=${app} user=UserHandle{${user}} id=${id} tag=${tag} importance=4 ` +
    `key=${key}: Notification(channel=individual_chat_defaults_4 shortcut=null contentView=null vibrate=null ` +
    `sound=null defaults=0x0 flags=${flags} color=0xff1da457 category=msg groupKey=group_key_messages vis=PRIVATE))`,
    `      uid=10234 userId=${user}`,
    `      opPkg=${app}`,
    `      flags=${flags}`,
    `      key=${key}`,
    "      seen=false",
    `      groupKey=${user}|${app}|g:group_key_messages`,
    `      when=${when}`,
    "      extras={",
    ...extras.map((extra) => `          ${extra}`),
    "      }",
    "      stats=SingleNotificationStats{posttimeElapsedMs=1000}",
    "",
  ].join("\n");
}

/** Redacts a record as without --noredact: shows texts by their length, and lists without their content. */
function hidden(record: string): string {
  return record
    .replace(
      /(android\.(?:title|text)=String) \(([^]*?)\)$/gm,
      (_, key, text) => `${key} [length=${text.length}]`,
    )
    .replace(/(android\.messages=Parcelable\[\] \(\d+\))(?:\n {10}\[\d+\][^\n]*)+/g, "$1");
}
