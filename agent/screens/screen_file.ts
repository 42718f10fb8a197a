/**
 * A screen file: what the screens of an app show, in one language and one range of app versions. It is data, so that a
 * new version of the app needs a file and no release. The product ships files, and a site may add its own.
 */
import { z } from "zod";
import { plainWords } from "./phrase.ts";

export const MAX_FILE_BYTES = 64 * 1024;
/** Most files of one site. */
export const MAX_SITE_FILES = 40;

/**
 * Roles of the nodes that the agent looks for. `chatList` and `chatRow` hold other people's words: no dialog is read
 * there.
 */
export const ID_ROLES = [
  "entry",
  "send",
  "voiceButton",
  "contactName",
  "chatList",
  "chatRow",
  "row",
  "rowText",
  "rowDate",
  "rowStatus",
  "caption",
  "recipients",
  "dialogMessage",
  "dialogOk",
  /** Only a person can go on: the lock screen. Its ids are prefixes. */
  "keyguard",
] as const;
export type IdRole = (typeof ID_ROLES)[number];

/**
 * Meanings of a dialog, most serious first: words with two meanings are taken for the worse one. `share_confirm` is the
 * whole text but for its one gap, the receiver: whatever words that has, they are a person's.
 */
export const DIALOG_MEANINGS = ["banned", "logged_out", "restricted", "not_on_app", "share_confirm"] as const;
export type DialogMeaning = (typeof DIALOG_MEANINGS)[number];

/** `in_the_way`: known, and left with the back key without an agreement to anything. */
const DIALOG_KINDS = [...DIALOG_MEANINGS, "in_the_way"] as const;

/** Buttons by their words: `send`, the `ok` of a dialog, and `other` ones that are never taken for `send`. */
const BUTTON_KINDS = ["send", "ok", "other"] as const;

/**
 * `elsewhere`: a screen of the app that is known and is no chat. `system`: a window of Android itself over the app; its
 * names are prefixes of the window's title.
 */
const ACTIVITY_KINDS = ["banned", "logged_out", "in_the_way", "elsewhere", "system"] as const;

const MAX_GAPS = 3;
/** A shorter phrase is in too many texts. */
const LEAST_LETTERS = 5;

/** Where a fact comes from, and whether anybody of the product's makers saw it on a phone. */
const known = { source: z.string().min(10).max(600), seen: z.boolean() };

const id = z.string().max(100).regex(
  /^(?:[A-Za-z0-9_.]+:id\/)?[A-Za-z0-9_.]+$/,
  "must be an id such as entry or android:id/message",
);
const phrase = z.string().min(LEAST_LETTERS).max(120).superRefine((text, context) => {
  const parts = text.split("*");
  if (parts.length - 1 > MAX_GAPS) context.addIssue(`may have at most ${MAX_GAPS} gaps`);
  // Marks that a comparison leaves out are no words: a part without others would be in every text.
  if (parts.some((part) => plainWords(part) === "")) context.addIssue("may not begin or end with a gap");
  if (/[\n\r]/.test(text)) context.addIssue("must be one line");
  if ((plainWords(text).match(/\p{L}/gu)?.length ?? 0) < LEAST_LETTERS) {
    context.addIssue(`must have at least ${LEAST_LETTERS} letters`);
  }
});
const activity = z.string().max(120).regex(/^[A-Za-z0-9_.$/: ]{5,}$/, "must be a part of an activity's name");
const label = z.string().min(2).max(60).refine((text) => !/[\n\r]/.test(text), "must be one line")
  .refine((text) => plainWords(text) !== "", "must have a letter or a sign");
/** Never a number: the title would name another. */
const ownMark = label.refine((text) => /\p{L}/u.test(text) && !/\p{N}/u.test(text), "must be words");
const versionText = z.string().regex(/^\d{1,6}(\.\d{1,6}){0,4}$/, "must be a version such as 2.25");

const phrases = z.strictObject({ ...known, phrases: z.array(phrase).min(1).max(40) });
const activities = z.strictObject({ ...known, names: z.array(activity).min(1).max(20) });
const labels = z.strictObject({ ...known, labels: z.array(label).min(1).max(40) });

export const screenFileSchema = z.strictObject({
  /** Its name on disk and in `screens list`. */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be small letters, digits and hyphens"),
  /** Two letters of ISO 639, or "any": facts that no language changes. */
  language: z.union([z.literal("any"), z.string().regex(/^[a-z]{2}$/)]),
  /** From the first version to below the second; null = every version. */
  appVersions: z.strictObject({ from: versionText, below: versionText }).nullable(),
  /** Ids without a package are the app's own. */
  ids: z.array(
    z.strictObject({ ...known, names: z.partialRecord(z.enum(ID_ROLES), z.array(id).min(1).max(8)) }),
  )
    .max(10).default([]),
  dialogs: z.partialRecord(z.enum(DIALOG_KINDS), phrases).default({}).refine(
    ({ share_confirm }) => (share_confirm?.phrases ?? []).every((words) => words.split("*").length === 2),
    { path: ["share_confirm"], message: "must have one gap, for the receiver" },
  ),
  /** The words after the dots of a long message that the app cut off. */
  readMore: phrases.optional(),
  /** What follows the number in the title of one's own chat. */
  ownChat: labels.extend({ labels: z.array(ownMark).min(1).max(40) }).optional(),
  /** What buttons are called, whole; `other` ones may go on after it. */
  buttons: z.partialRecord(z.enum(BUTTON_KINDS), labels).default({}),
  activities: z.partialRecord(z.enum(ACTIVITY_KINDS), activities).default({}),
});
export type ScreenFile = z.infer<typeof screenFileSchema>;

/** Thrown with a sentence that names what is wrong with a file. */
export class ScreenFileError extends Error {
  override name = "ScreenFileError";
}

/**
 * Reads a screen file's text.
 *
 * @throws {ScreenFileError} naming every wrong value
 */
export function parseScreenFile(text: string): ScreenFile {
  if (new TextEncoder().encode(text).length > MAX_FILE_BYTES) {
    throw new ScreenFileError(`it is larger than ${MAX_FILE_BYTES / 1024} kB`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ScreenFileError("it is not JSON");
  }
  const parsed = screenFileSchema.safeParse(value);
  if (!parsed.success) {
    const wrong = parsed.error.issues.slice(0, 5).map(({ path, message }) =>
      `${path.join(".") || "it"}: ${message}`
    );
    throw new ScreenFileError(wrong.join("; "));
  }
  const { ids, dialogs, activities, buttons, readMore, ownChat } = parsed.data;
  const isEmpty = ids.length === 0 && !readMore && !ownChat &&
    [dialogs, activities, buttons].every((one) => Object.keys(one).length === 0);
  if (isEmpty) throw new ScreenFileError("it says nothing about any screen");
  return parsed.data;
}
