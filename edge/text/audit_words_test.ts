import assert from "node:assert/strict";
import type { AuditKind } from "shared/audit.ts";
import { wordAudit } from "./audit_words.ts";

const NAMES = { campaign: "סתיו", site: null, device: null, user: null };
const wordsOf = (kind: AuditKind, facts: Record<string, unknown>) =>
  wordAudit(kind, NAMES, JSON.stringify(facts));

Deno.test("wordAudit() uses the singular for one and the plural for many", () => {
  assert.equal(wordsOf("replies_kept", { count: 1 }), "תשובה אחת הוכרעה: לא ביקשו הסרה");
  assert.equal(wordsOf("replies_kept", { count: 3 }), "3 תשובות הוכרעו: לא ביקשו הסרה");
  const ended = "תום תקופת השמירה: ";
  assert.equal(wordsOf("numbers_forgotten", { count: 1 }), `${ended}מספר אחד של הקמפיין ״סתיו״ הוסתר`);
  assert.equal(wordsOf("numbers_forgotten", { count: 2 }), `${ended}שני מספרים של הקמפיין ״סתיו״ הוסתרו`);
  assert.equal(wordsOf("consents_forgotten", { count: 1 }), `${ended}מספר אחד בתיעוד ההסכמות הוסתר`);
  assert.equal(wordsOf("consents_forgotten", { count: 2 }), `${ended}שני מספרים בתיעוד ההסכמות הוסתרו`);
  const unknown = "לא ידוע בקמפיין ״סתיו״";
  assert.equal(
    wordsOf("deliveries_resolved", { changed: 1, as: "sent" }),
    `הכרעה על הודעה אחת שמצבה ${unknown}: נשלחה`,
  );
  assert.equal(
    wordsOf("deliveries_resolved", { changed: 2, as: "resend" }),
    `הכרעה על שתי הודעות שמצבן ${unknown}: יישלחו שוב`,
  );
});

Deno.test("wordAudit() quotes an account's name, so that it does not merge with the phone's Latin letters", () => {
  const names = { ...NAMES, device: "SM-A155F · 0001" };
  const wordsOfLabel = (label: string) => wordAudit("account_edited", names, JSON.stringify({ label }));
  assert.equal(wordsOfLabel("Main"), "שם החשבון במכשיר SM-A155F · 0001: ״Main״");
  assert.equal(wordsOfLabel(""), "שם החשבון במכשיר SM-A155F · 0001: הוסר");
});
