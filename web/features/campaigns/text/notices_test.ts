import assert from "node:assert/strict";
import { type CampaignNotice, NOTICE_CODES } from "shared/http_api.ts";
import { STALL_CAUSES } from "shared/standing.ts";
import { cancelEffect, DETAIL } from "../../../text/campaign_detail.ts";
import { CAMPAIGN, costSentence } from "./campaign.ts";
import { ALERTS } from "../../../text/admin_activity.ts";
import { PRIVACY } from "../../privacy/text.ts";
import { adminNoticeText } from "./admin_campaigns.ts";
import { noticeText } from "./notices.ts";
import { pilotSentence } from "./pilot.ts";
import { UPLOAD } from "../../contacts/text/upload.ts";

Deno.test("noticeText() agrees with one, two and many messages", () => {
  const textOf = (code: CampaignNotice["code"], count: number) =>
    noticeText({ code, count, site: "אתר הדגמה" }, 0).body;
  assert.match(textOf("waiting_for_site", 1), /^הודעה אחת נמצאת אצלה ולא תישלח ממקום אחר/);
  assert.match(textOf("waiting_for_site", 2), /^שתי הודעות נמצאות אצלה ולא יישלחו ממקום אחר/);
  assert.equal(textOf("cap_reached", 1), "הודעה אחת תמשיך לצאת מחר.");
  assert.equal(textOf("cap_reached", 1200), "1,200 הודעות ימשיכו לצאת מחר.");
  assert.equal(textOf("gave_back_too_much", 2), "שתי הודעות ימשיכו לצאת מחר.");
  assert.equal(textOf("paused_by_client", 1), "הודעה אחת מחכה בתור.");
  assert.equal(textOf("paused_by_client", 2), "שתי הודעות מחכות בתור.");
  assert.equal(
    textOf("told_before_sending", 1),
    "היא לא תישלח שוב, ותיגבה מהמכסה רק אם הקמפיין יאושר לשליחה.",
  );
  const writtenTo = (count: number) => noticeText({ code: "told_before_sending", count }, 0).lead;
  assert.match(writtenTo(1), /ייתכן שהודעה אחת מהקמפיין כבר יצאה\.$/);
  assert.match(writtenTo(2), /ייתכן ששתי הודעות מהקמפיין כבר יצאו\.$/);
  assert.match(writtenTo(1200), /ייתכן ש־1,200 הודעות מהקמפיין כבר יצאו\.$/);
  assert.equal(textOf("waiting_turn", 1), "שניהם מתקדמים לסירוגין.");
  assert.equal(
    noticeText({ code: "waiting_turn", count: 1 }, 0).lead,
    "לפני הקמפיין הזה יש בתור עוד קמפיין אחד.",
  );
});

Deno.test("a site is 'עמדת שליחה' to its client and 'אתר' to an administrator, who reads no word twice", () => {
  const notice = { code: "waiting_for_site", count: 1, site: "אתר הדגמה" } as const;
  assert.equal(noticeText(notice, 0).lead, "ממתין לעמדת השליחה ״הדגמה״, שמנותקת.");
  assert.equal(adminNoticeText(notice, 0).lead, "ממתין לאתר הדגמה, שמנותק.");
  for (const code of NOTICE_CODES) {
    const { lead, body } = noticeText({ code, count: 3, site: "חולון" }, 0);
    assert.doesNotMatch(`${lead} ${body}`, /(^|[ ״])[בהוכלמש]{0,2}אתר(ים)?(?![א-ת])/, code);
  }
});

Deno.test("agents that are too old for a personal message are named to an administrator alone", () => {
  for (const code of ["agents_too_old", "some_agents_too_old"] as const) {
    const notice = { code, count: 2, site: "חולון, חיפה" };
    const client = noticeText(notice, 0);
    assert.doesNotMatch(`${client.lead} ${client.body}`, /חולון|תוכנה|התקנה/);
    assert.match(client.lead, /לא יודע(ים|ות) לשלוח לכל נמען נוסח משלו\.$/);
    const admin = adminNoticeText(notice, 0);
    assert.match(admin.lead, /: חולון, חיפה\.$/);
    assert.match(admin.body, /^יש להריץ שם שוב את פקודת ההתקנה\./);
  }
});

Deno.test("every cause of standing still has its own sentence, for clients and for administrators", () => {
  const alone = [
    "words_missing",
    "backup_copy",
    "newer_release",
    "erasures_owed",
    "rehearsals_owed",
    "item_texts_missing",
  ];
  const causes = STALL_CAUSES.filter((cause) => !alone.includes(cause));
  const stalls = ["held_silently", "offers_unanswered", "given_back", "not_asking"];
  for (const textOf of [noticeText, adminNoticeText]) {
    const sentences = causes.map((cause) => {
      const code = stalls.includes(cause) ? "stalled" : "no_device";
      const { lead, body } = textOf({ code, cause, count: 3, site: "חיפה", since: 0 }, 4 * 60_000);
      return `${lead} ${body}`;
    });
    assert.equal(new Set(sentences).size, causes.length);
    for (const sentence of sentences) assert.doesNotMatch(sentence, /undefined|NaN| {2}/);
  }
  const stall = noticeText({ code: "stalled", cause: "not_asking", count: 3, since: 0 }, 4 * 60_000);
  assert.equal(stall.lead, "לא יצאה הודעה כבר 4 דקות, אף שיש טלפון פנוי.");
  for (const cause of causes) {
    const code = stalls.includes(cause) ? "stalled" : "no_device";
    const { lead, body } = noticeText({ code, cause, count: 3, site: "חיפה" }, 0);
    assert.doesNotMatch(lead + body, /(^|[\s,.])(ב|ל|ה|של ה)?אתר(ים)?[\s,.]/, "a client knows of no sites");
  }
});

Deno.test("costSentence(), cancelEffect() and a campaign's counts agree with one message", () => {
  assert.match(costSentence(3, 2), /^חסרה הודעה אחת במכסה/);
  assert.match(costSentence(4, 2), /^חסרות שתי הודעות במכסה/);
  assert.deepEqual(
    [0, 1, 2, 3].map((left) => costSentence(5, 5 + left).replace(/^.*מהמכסה\. /, "")),
    ["לא תישאר אף אחת.", "תישאר אחת.", "יישארו שתיים.", "יישארו 3."],
  );
  assert.match(cancelEffect("סתיו", 1, 1), /הודעה אחת כבר נשלחה, ואי אפשר להחזיר אותה\.$/);
  // Without the isolates, the number after a Latin name would move to the other side of it.
  assert.match(cancelEffect("Sale", 30, 0), /^לבטל את ״\u2068Sale\u2069״\? 30 הודעות שטרם נשלחו/);
  assert.match(cancelEffect("סתיו", 1, 40), /40 כבר נשלחו, ואי אפשר להחזיר אותן\.$/);
  assert.equal(CAMPAIGN.withFailures(1, 2), "1 נכשלה, 2 לא ידוע");
  const held = "הודעות כבר נמצאות במכשירים, ומצבן יתעדכן כשיגיע הדיווח על השליחה.";
  assert.equal(DETAIL.recalled(4, 600), `4 הודעות עודכנו מיד. 600 ${held}`);
  assert.equal(DETAIL.recalled(0, 600), `600 ${held}`);
  assert.equal(DETAIL.recalled(1, 0), "הודעה אחת עודכנה.");
});

Deno.test("noticeText(), pilotSentence() and an upload's count use the singular for one message", () => {
  const textOf = (code: CampaignNotice["code"], count: number) =>
    Object.values(noticeText({ code, count }, 0)).join(" ");
  assert.match(textOf("pilot_wave", 1), /הודעה אחת יוצאת לפני כל השאר\. כשתוכרע,.*היא התקבלה\./);
  assert.match(textOf("pilot_wave", 2), /שתי הודעות יוצאות לפני כל השאר\. כשכולן/);
  assert.match(textOf("pilot_wait", 1), /הודעה אחת נוספת תצא\.$/);
  assert.match(textOf("pilot_wait", 2), /שתי הודעות נוספות ייצאו\.$/);
  assert.match(textOf("waiting_for_account", 1), /^הודעה אחת מחכה לחשבון שהתנתק\. היא תצא כשיחזור\./);
  assert.equal(
    pilotSentence({ count: 1, waitMinutes: 45 }),
    "קודם הודעה אחת, אחריה המתנה של 45 דקות, ואז השאר.",
  );
  assert.match(pilotSentence({ count: 2, waitMinutes: 45 }), /^קודם שתי הודעות, אחריהן המתנה/);
  assert.deepEqual([1, 2].map(UPLOAD.added), ["מספר נקלט", "מספרים נקלטו"]);
});

/** Phrases that describe an action as the client's own: "your", "you", "one loads", "it can be sent". */
const TO_THE_CLIENT = /(?:שלכם|מכם|ידכם|מוסיפים|מעלים|ממלאים|אפשר ל(?:שלוח|אשר|השמיט))(?![א-ת])/;

Deno.test("adminNoticeText() addresses an administrator, who does not send, in every sentence", () => {
  const speakToTheClient = (wordsOf: typeof noticeText) =>
    NOTICE_CODES.filter((code) =>
      [1, 2].some((count) => TO_THE_CLIENT.test(Object.values(wordsOf({ code, count }, 0)).join(" ")))
    );
  assert.deepEqual(speakToTheClient(adminNoticeText), []);
  assert.deepEqual(speakToTheClient(noticeText), [
    "no_contacts",
    "import_running",
    "opens_later",
    "plan_waits",
    "approval_needed",
    "reached_in_lost_time",
    "number_wait",
    "paused_by_client",
    "unknown_deliveries",
    "advertiser_missing",
    "without_consent",
    "frequency_capped",
  ]);
});

/** Actions for administrators only, in sentences for people who have to ask one. */
const TO_THE_ADMINISTRATOR = /לפנות למנהל המערכת|אישור של מנהל המערכת|שמנהל המערכת יאשר/;

Deno.test("adminNoticeText() does not refer an administrator to the administrator, but says what to do", () => {
  const all = NOTICE_CODES.map((code) => Object.values(adminNoticeText({ code, count: 2 }, 0)).join(" "));
  assert.deepEqual(all.filter((text) => TO_THE_ADMINISTRATOR.test(text)), []);
  const textOf = (code: CampaignNotice["code"]) => adminNoticeText({ code, count: 2 }, 0).body;
  assert.match(
    textOf("waiting_for_confirmation"),
    /^מאשרים כל חשבון בדף המכשיר שלו.* שתי הודעות מחכות בתור\.$/,
  );
  for (const code of ["older_database", "backup_copy"] as const) {
    assert.match(textOf(code), /deno task restored/);
  }
});

Deno.test("adminNoticeText() states the same as noticeText(), for one and for many", () => {
  const textOf = (code: CampaignNotice["code"], count: number, since?: number) =>
    Object.values(adminNoticeText({ code, count, since, until: Date.parse("2026-11-22T07:00:00Z") }, 0)).join(
      " ",
    );
  assert.match(textOf("opens_later", 0), /הלקוח יכול לאשר את השליחה כבר עכשיו, .* ביום ראשון ב־09:00\.$/);
  assert.match(textOf("paused_by_client", 2, 0), /^הושהה על ידי הלקוח ב־02:00\. שתי הודעות מחכות בתור\.$/);
  assert.match(textOf("without_consent", 1), /הסכמה לקבל דיוור\. .*הלקוח מוסיף אותו שוב/);
  assert.match(textOf("without_consent", 2, 0), /לא נשלחו אליהם הודעות והם לא נגבו מהמכסה\.$/);
  assert.match(
    textOf("frequency_capped", 2),
    /^שני נמענים דולגו\. הם כבר קיבלו מהלקוח.*ההודעות הוחזרו למכסה\.$/,
  );
});

Deno.test("noticeText() names the day of a pause that did not begin today", () => {
  const at = Date.parse("2026-11-21T12:32:00Z");
  const leads = [at, Date.parse("2026-11-22T07:00:00Z")].map((now) =>
    noticeText({ code: "paused_by_rule", since: at }, now).lead
  );
  assert.deepEqual(leads, ["הושהה אוטומטית ב־14:32.", "הושהה אוטומטית ב־21.11.2026 ב־14:32."]);
});

Deno.test("pilotSentence() says the wait to the minute", () => {
  const waits: [number, string][] = [
    [1, "דקה"],
    [2, "שתי דקות"],
    [60, "שעה"],
    [61, "שעה ודקה"],
    [62, "שעה ושתי דקות"],
    [90, "שעה ו־30 דקות"],
    [120, "שעתיים"],
    [1_439, "23 שעות ו־59 דקות"],
    [1_440, "24 שעות"],
  ];
  for (const [waitMinutes, text] of waits) {
    assert.match(pilotSentence({ count: 9, waitMinutes }), new RegExp(`המתנה של ${text}, ואז`));
  }
});

Deno.test("summed-up alerts and awaited sites are counted in correct Hebrew", () => {
  assert.deepEqual([1, 2, 3].map(ALERTS.more), [
    "ועוד התראה אחת שמחכה לטיפול.",
    "ועוד שתי התראות שמחכות לטיפול.",
    "ועוד 3 התראות שמחכות לטיפול.",
  ]);
  assert.deepEqual([1, 2, 3].map(PRIVACY.waitingSites), [
    "ממתין לאתר אחד",
    "ממתין לשני אתרים",
    "ממתין ל־3 אתרים",
  ]);
});
