/** What a rehearsal is asked for, and what it reports: the words that the agent and the command share. */
import { z } from "zod";
import { MAX_IMAGE_BYTES } from "shared/campaign.ts";
import type { Phone } from "../phone/phone.ts";
import { seenScreenSchema } from "./seen_screens.ts";

/** The text of the draft that is written and deleted again. */
export const REHEARSED_TEXT = "חזרה של שיגור: ההודעה הזאת לא נשלחת. Shigur's rehearsal: this is not sent 🙂";

/** Every step of a rehearsal, in order. Those of a picture and of a real message belong only to some. */
export const STEPS = [
  "phone",
  "account",
  "confirm",
  "fence",
  "chat",
  "draft",
  "again",
  "guard",
  "clear",
  "picture",
  "picture_again",
  "leave_picture",
  "intent",
  "tap",
  "proof",
  "look_back",
  "clear_message",
  "home",
] as const;
export type StepName = (typeof STEPS)[number];

/**
 * `not_seen` = this number's chat does not open, so the step could not be tried. `not_done` = an earlier step failed,
 * or the phone was lent no longer.
 */
export const VERDICTS = ["ok", "failed", "not_seen", "not_done"] as const;

/** What a step saw. A closed set, so that no text of a screen gets into a report. */
export const SIGHTS = [
  "nothing",
  "phone_ready",
  "phone_unwell",
  "phone_lost",
  "phone_busy",
  "account_found",
  "account_missing",
  "account_banned",
  "account_restricted",
  "account_logged_out",
  "code_right",
  "code_wrong",
  "code_missing",
  "page_not_shown",
  "fence_taken",
  "chat_with_number",
  "chat_titled_by_name",
  "chat_not_opened",
  "number_not_on_app",
  "phone_screen_blocked",
  "unknown_screen",
  "draft_exact",
  "draft_mismatch",
  "screen_unchanged",
  "guard_holds",
  "guard_open",
  "draft_gone",
  "draft_left",
  "no_draft_written",
  "picture_ready",
  "picture_left",
  "caption_not_shown",
  "image_unavailable",
  "intent_written",
  "taken_back",
  "tap_made",
  "tap_too_late",
  "row_seen",
  "row_not_seen",
  "row_seen_again",
  "result_unknown",
  "too_many_messages",
  "launcher_in_front",
  "launcher_not_in_front",
] as const;
export type Sight = (typeof SIGHTS)[number];

/** A version, a count or a state: never a number, a name or a text. */
const detailSchema = z.string().max(200);

export const stepSchema = z.object({
  name: z.enum(STEPS),
  seen: z.enum(SIGHTS),
  detail: detailSchema.nullable(),
  tookMs: z.int().min(0),
  verdict: z.enum(VERDICTS),
});
export type Step = z.infer<typeof stepSchema>;

/**
 * passed = every step up to the tap was seen; partly = the number's chat does not open, and nothing else failed; failed
 * = a step failed; unconfirmed = nobody typed the phone's code.
 */
export const RESULTS = ["passed", "partly", "failed", "unconfirmed"] as const;

export const reportSchema = z.object({
  device: z.string().max(64),
  account: z.string().max(200).nullable(),
  appVersion: z.string().max(40).nullable(),
  model: z.string().max(200).nullable(),
  androidVersion: z.string().max(20).nullable(),
  /** Of the phone, "he"; null when it does not say. */
  language: z.string().max(3).nullable(),
  result: z.enum(RESULTS),
  /** The real message to oneself: null = none was asked for, or it was not reached. */
  message: z.enum(["sent", "not_sent", "unknown", "left_to_agent"]).nullable(),
  steps: z.array(stepSchema).max(STEPS.length),
  /** Path of the recording on the site's machine, or null. */
  recording: z.string().max(4_096).nullable(),
});
export type Report = z.infer<typeof reportSchema>;

/** Base64 takes four characters for three bytes. */
const MAX_PICTURE_CHARS = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

export const orderSchema = z.strictObject({
  device: z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/),
  /** Null = the first one of the phone that is in front. */
  account: z.string().regex(/^[A-Za-z0-9._:-]{1,64}\/[A-Za-z0-9._]{1,100}\/\d{1,6}$/).nullable(),
  /** The number for one real message, or null. */
  to: z.string().regex(/^\+[1-9]\d{6,14}$/).nullable(),
  /** The person's own picture in Base64. Null = the built-in one, which is rehearsed and never sent. */
  picture: z.string().max(MAX_PICTURE_CHARS).regex(/^[A-Za-z0-9+/]*={0,2}$/).nullable(),
});
export type Order = z.infer<typeof orderSchema>;

/** The command's lines to the agent, after its order. */
export const answerSchema = z.strictObject({ code: z.string().max(20) });

/** The agent's lines to the command. */
export const noticeSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("waiting") }),
  z.object({ type: z.literal("step"), step: stepSchema }),
  /** The phone shows its code. An empty answer shows it again. */
  z.object({ type: z.literal("question"), triesLeft: z.int() }),
  z.object({ type: z.literal("report"), report: reportSchema }),
  z.object({ type: z.literal("screens"), screens: z.array(seenScreenSchema) }),
  z.object({
    type: z.literal("refused"),
    why: z.enum([
      "no_such_phone",
      "phone_stopped",
      "tap_in_doubt",
      "busy",
      "too_many",
      "bad_order",
      "ending",
      "not_done",
    ]),
  }),
]);
export type Notice = z.infer<typeof noticeSchema>;
export type Refusal = Extract<Notice, { type: "refused" }>["why"];

/** Keeps what a rehearsal saw as one recording. */
export interface Recorder {
  /** Returns the same phone, and records its commands and screens. */
  phone(phone: Phone): Phone;
  step(step: Step): void;
  /** Writes the recording. Returns its path, or null when none was kept. */
  end(report: Report): Promise<string | null>;
}

export const NO_RECORDER: Recorder = {
  phone: (phone) => phone,
  step() {},
  end: () => Promise.resolve(null),
};
