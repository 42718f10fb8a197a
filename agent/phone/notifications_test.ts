import assert from "node:assert/strict";
import { readNotifications } from "./notifications.ts";

const AT = 1_732_197_000_000;
const ACCOUNT = "SIM0001/com.whatsapp/0";

/** Returns one record in the format of AOSP's NotificationRecord.dump(), with a test's changes. */
function record({ flags = "0x10", app = "com.whatsapp", extras = "" }): string {
  return `    NotificationRecord(0x0d2f7a41: pkg=${app} user=UserHandle{0} id=1 tag=x importance=4 key=0|${app}|1|x|10234: Notification(channel=c shortcut=null contentView=null vibrate=null sound=null defaults=0x0 flags=${flags} color=0xff1da457 category=msg vis=PRIVATE))
      uid=10234 userId=0
      opPkg=${app}
      flags=${flags}
      key=0|${app}|1|x|10234
      when=${AT}
      extras={
${extras}
      }
      stats=SingleNotificationStats{}
`;
}

const chat = (title: string, text: string, more = "") =>
  `          android.title=String (${title})
          android.subText=null
          android.text=SpannableString (${text})${more && `\n${more}`}`;

function read(...records: string[]) {
  return readNotifications(
    `Current Notification Manager state:\n  Notification List:\n${records.join("")}`,
    "SIM0001",
  );
}

/** Returns number and text of each reply. */
function repliesOf(...records: string[]): string[] {
  return read(...records).replies.map(({ phone, text }) => `${phone} ${text}`);
}

Deno.test("readNotifications() reads a reply's sender, text, time and account", () => {
  const [reply] = read(record({ extras: chat("\u202a+972 54-371-0968\u202c", "הסר!") })).replies;
  const { id, ...facts } = reply!;
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.deepEqual(facts, { account: ACCOUNT, phone: "+972543710968", text: "הסר!", at: AT, isCut: false });
});

Deno.test("readNotifications() reads each message of a listed chat, without our own", () => {
  const list = `          android.messages=Parcelable[] (3)
            [0] Bundle[{sender_person=android.app.Person@1, sender=דנה, text=הי, מה?, time=${AT - 2}}]
            [1] Bundle[{text=שלי, sender=null, time=${AT - 1}}]
            [2] Bundle[{time=${AT}, text=הסר
שורה שנייה, sender=דנה}]`;
  const { replies } = read(record({ extras: chat("+972543710968", "הסר", list) }));
  assert.deepEqual(replies.map(({ text, at }) => [text, at]), [["הי, מה?", AT - 2], ["הסר\nשורה שנייה", AT]]);
});

Deno.test("readNotifications() reads the last message when the list is packed", () => {
  const list =
    "          android.messages=Parcelable[] (1)\n            [0] Bundle[mParcelledData.dataSize=432]";
  assert.deepEqual(repliesOf(record({ extras: chat("+972543710968", "הסר", list) })), ["+972543710968 הסר"]);
});

Deno.test("readNotifications() gives a reply one id, however often and with whatever marks it is shown", () => {
  const { replies } = read(
    record({ extras: chat("+972543710968", "הסר") }),
    record({ extras: chat("+972 54-371-0968 (2 הודעות)", "\u202bהסר\u202c\u200f") }),
  );
  assert.equal(replies.length, 1);
});

Deno.test("readNotifications() ignores names, groups, summaries and other apps", () => {
  const group = "          android.isGroupConversation=Boolean (true)";
  assert.deepEqual(
    repliesOf(
      record({ extras: chat("דנה", "הסר") }),
      record({ extras: chat("דנה 0543710968", "הסר") }),
      record({ extras: chat("+972543710968", "הסר", group) }),
      record({ flags: "0x210", extras: chat("+972543710968", "2 הודעות") }),
      record({ flags: "AUTO_CANCEL|GROUP_SUMMARY", extras: chat("+972543710968", "הסר") }),
      record({ app: "com.example.mail", extras: chat("+972543710968", "הסר") }),
    ),
    [],
  );
});

Deno.test("readNotifications() marks a text when only its beginning is shown", () => {
  const [reply] = read(record({ extras: chat("+972543710968", "הסר…\u200f") })).replies;
  assert.equal(reply!.isCut, true);
});

Deno.test("readNotifications() does not accept a text that pretends to be another sender's", () => {
  const forged = "x)\n          android.title=String (+972540000001)\n          android.text=String (הסר";
  assert.deepEqual(repliesOf(record({ extras: chat("+972543710968", forged) })), []);
});

Deno.test("readNotifications() marks a text that closes its record and opens others as possibly forged", () => {
  const blocks = ["+972540000001", "+972540000002"].map((phone) => record({ extras: chat(phone, "הסר") }));
  const forged = `x)\n      }\n${blocks.join("").trimEnd()}`;
  const more = "          android.isGroupConversation=Boolean (false)";
  const dump = read(record({ extras: chat("+972543710968", forged, more) }));
  assert.equal(dump.mayBeForged, true);
  assert.ok(dump.replies.length > 1, "the texts of people are still read");
});

Deno.test("readNotifications() accepts several records, several lines, and a public version", () => {
  const { mayBeForged } = read(
    record({ extras: chat("+972543710968", "שורה\nושנייה { ויש עוד }\nandroid=x") }),
    record({ extras: chat("+972540000001", "הסר") }).replace(
      "      stats=",
      "      publicVersion=\n        extras={\n          android.title=String (WhatsApp)\n        }\n      stats=",
    ),
    record({ app: "com.example.mail", extras: chat("דנה", "שלום") }),
  );
  assert.equal(mayBeForged, false);
});

Deno.test("readNotifications() does not treat another app's text as a forgery", () => {
  const odd = record({
    app: "com.example.mail",
    extras: chat("דנה", "x)\n      }\n  android.x=1\nextras={"),
  });
  const own = record({ extras: chat("+972543710968", "הסר") });
  assert.equal(read(odd, own).mayBeForged, false);
  assert.equal(read(own, odd).mayBeForged, false);
});

Deno.test("readNotifications() marks more chats than Android keeps for one app as possibly forged", () => {
  const chats = Array.from(
    { length: 51 },
    (_, index) => record({ extras: chat(`+9725400000${10 + index}`, "הסר") }),
  );
  assert.equal(read(...chats.slice(1), chats[1]!).mayBeForged, false);
  assert.equal(read(...chats).mayBeForged, true);
});

Deno.test("readNotifications() returns why a phone cannot be read", () => {
  const hidden = "          android.title=String [length=16]\n          android.text=String [length=3]";
  assert.deepEqual(read(record({ extras: hidden })), {
    replies: [],
    mayBeForged: false,
    problem: "the phone hides the texts of notifications",
  });
  assert.equal(read().problem, null);
  for (
    const [output, problem] of [["", "nothing"], [
      "Permission Denial: no\n",
      "Permission Denial: no",
    ]] as const
  ) {
    assert.deepEqual(readNotifications(output, "SIM0001"), {
      replies: [],
      mayBeForged: false,
      problem: `dumpsys notification says: ${problem}`,
    });
  }
});
