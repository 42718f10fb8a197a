/** What the agent knows about the screens of one account: the files for its app's version and its phone's language. */
import { compareVersions } from "./app_version.ts";
import { holdsPhrase, type Phrase, phraseOf, plainWords } from "./phrase.ts";
import {
  DIALOG_MEANINGS,
  type DialogMeaning,
  ID_ROLES,
  type IdRole,
  type ScreenFile,
} from "./screen_file.ts";

/** Null = not known. */
export interface AppFactsForScreens {
  appVersion: string | null;
  /** Two letters of ISO 639. */
  language: string | null;
}

type DialogKind = DialogMeaning | "in_the_way";
type DialogPhrases = readonly (readonly [DialogKind, readonly Phrase[]])[];

/** A longer text is no dialog. The limit keeps a lying phone's screen from costing minutes. */
const MOST_DIALOG_CHARS = 20_000;

export class ScreenWords {
  #ids: ReadonlyMap<IdRole, readonly string[]>;
  #known: ReadonlySet<string>;
  /** The phone's own language first. */
  #tiers: readonly DialogPhrases[];
  #readMore: readonly string[];
  #share: readonly Phrase[];
  #ownChat: readonly string[];
  #buttons: Record<keyof ScreenFile["buttons"], readonly string[]>;
  #files: readonly ScreenFile[];
  #activityParts: ReadonlySet<string>;

  /** `files` of the phone's language or of any, in the order of their authority, then `others` in other languages. */
  constructor(files: readonly ScreenFile[], others: readonly ScreenFile[]) {
    this.#files = [...files, ...others];
    this.#ids = new Map(
      ID_ROLES.map((role) => [role, distinct(this.#files.flatMap((file) => idsOf(file, role)))]),
    );
    this.#known = new Set([...this.#ids.values()].flat());
    const names = this.#files.flatMap(({ activities }) =>
      Object.values(activities).flatMap(({ names }) => names)
    );
    this.#activityParts = new Set(names.flatMap((name) => name.split(/[.$/: ]+/)));
    this.#tiers = [phrasesOf(files), phrasesOf(others)];
    this.#readMore = this.#files.flatMap(({ readMore }) => readMore?.phrases ?? []).map((words) =>
      words.toLowerCase()
    );
    this.#share = this.#files.flatMap(({ dialogs }) => dialogs.share_confirm?.phrases ?? [])
      .map((words) => phraseOf(words, { isWhole: true }));
    this.#ownChat = this.#files.flatMap(({ ownChat }) => ownChat?.labels ?? []).map(plainWords);
    const labelsOf = (kind: keyof ScreenFile["buttons"]) =>
      this.#files.flatMap(({ buttons }) => buttons[kind]?.labels ?? []).map(plainWords);
    this.#buttons = { send: labelsOf("send"), ok: labelsOf("ok"), other: labelsOf("other") };
  }

  /** Returns the ids of a role in an app, best first: "com.whatsapp:id/entry". */
  ids(role: IdRole, app: string): readonly string[] {
    return (this.#ids.get(role) ?? []).map((id) => id.includes(":") ? id : `${app}:id/${id}`);
  }

  /** Returns whether any file names an id of an app. */
  knowsId(id: string, app: string): boolean {
    const own = `${app}:id/`;
    return this.#known.has(id) || (id.startsWith(own) && this.#known.has(id.slice(own.length)));
  }

  /** Returns whether a part of an activity's name, "RegisterPhone", is in a name of any file. */
  knowsActivityPart(part: string): boolean {
    return this.#activityParts.has(part);
  }

  /** Returns whether a text is, whole, a phrase or a button of some file. */
  isKnownText(text: string): boolean {
    const plain = plainWords(text.slice(0, MOST_DIALOG_CHARS));
    const { send, ok, other } = this.#buttons;
    return [send, ok, other].some((labels) => labels.includes(plain)) || this.#readMore.includes(plain) ||
      this.#phrases().some(({ parts }) => parts.length === 1 && parts[0] === plain);
  }

  /** Returns the parts of each phrase that a text holds, plain: "send to " and "?". */
  phrasesIn(text: string): (readonly string[])[] {
    const plain = plainWords(text.slice(0, MOST_DIALOG_CHARS));
    return this.#phrases().filter((phrase) => holdsPhrase(plain, phrase)).map(({ parts }) => parts);
  }

  /** Returns the name of another button at the beginning of a label, as it is written there; "" when there is none. */
  otherButtonIn(label: string): string {
    const plain = plainWords(label.slice(0, MOST_DIALOG_CHARS));
    const name = this.#buttons.other.find((name) =>
      plain.startsWith(name) && /^[\s,.]/.test(plain.slice(name.length))
    );
    return name !== undefined && plainWords(label.slice(0, name.length)) === name
      ? label.slice(0, name.length)
      : "";
  }

  /** Returns the meaning of a dialog's words, "in_the_way", or null when they are not known. */
  dialogKind(text: string): DialogKind | null {
    if (this.shareReceivers(text).length > 0) return "share_confirm";
    const plain = plainWords(text.slice(0, MOST_DIALOG_CHARS));
    for (const tier of this.#tiers) {
      for (const [kind, phrases] of tier) {
        if (phrases.some((phrase) => holdsPhrase(plain, phrase))) return kind;
      }
    }
    return null;
  }

  /** Returns whom a question "send to …?" names, once for each phrase that it is; none for any other text. */
  shareReceivers(text: string): string[] {
    const plain = plainWords(text.slice(0, MOST_DIALOG_CHARS));
    return this.#share.filter((phrase) => holdsPhrase(plain, phrase))
      .map(({ parts: [before, after] }) => plain.slice(before!.length, -after!.length).trim());
  }

  /** Returns the meaning of the app's activity in front, in any language, or null. */
  activityKind(activity: string): "banned" | "logged_out" | "in_the_way" | "elsewhere" | null {
    for (const kind of ["banned", "logged_out", "in_the_way", "elsewhere"] as const) {
      if (this.#activities(kind).some((name) => activity.includes(name))) return kind;
    }
    return null;
  }

  /** Returns whether a window of Android itself covers the app: a permission, an app that hung or crashed. */
  isSystemDialog(activity: string): boolean {
    return this.#activities("system").some((name) => activity.startsWith(name));
  }

  /** Returns whether a button's words are those of sending. */
  isSendButton(label: string): boolean {
    return this.#buttons.send.includes(plainWords(label));
  }

  /** Returns whether a button's words agree to a dialog and do nothing else, as "Delete" would. */
  isOkButton(label: string): boolean {
    return this.#buttons.ok.includes(plainWords(label));
  }

  /** Returns whether a button's words are those of another button: its name, or its name and more words. */
  isOtherButton(label: string): boolean {
    const plain = plainWords(label.slice(0, MOST_DIALOG_CHARS));
    return this.#buttons.other.some((name) =>
      plain.startsWith(name) && /^$|^[\s,.]/.test(plain.slice(name.length))
    );
  }

  /** Returns a row's text without the mark of the place where the app cut it off; the same text when it has none. */
  withoutCutOff(text: string): string {
    let rest = text.trimEnd();
    const more = this.#readMore.find((words) => rest.slice(-words.length).toLowerCase() === words);
    if (more !== undefined) rest = rest.slice(0, -more.length).trimEnd();
    const dots = ["…", "..."].find((mark) => rest.endsWith(mark));
    return dots === undefined ? text : rest.slice(0, -dots.length).trimEnd();
  }

  /** Returns a title without the words that mark one's own chat; the same title when it has none. */
  withoutOwnMark(title: string): string {
    const at = title.lastIndexOf("(");
    return at > 0 && this.#ownChat.includes(plainWords(title.slice(at))) ? title.slice(0, at) : title;
  }

  #phrases(): Phrase[] {
    return [...this.#share, ...this.#tiers.flatMap((tier) => tier.flatMap(([, phrases]) => phrases))];
  }

  #activities(kind: keyof ScreenFile["activities"]): readonly string[] {
    return this.#files.flatMap(({ activities }) => activities[kind]?.names ?? []);
  }
}

/**
 * Chooses the files for an account, `own` (a site's) before `shipped`. Files of the app's version count; when none of
 * them names an id, and for an unknown version, all do. Languages other than the phone's come last, because the app may
 * have a language of its own.
 */
export function wordsFor(
  { own, shipped }: { own: readonly ScreenFile[]; shipped: readonly ScreenFile[] },
  { appVersion, language }: AppFactsForScreens,
): ScreenWords {
  const all = [...own, ...shipped];
  const fits = all.filter(({ appVersions }) =>
    appVersions === null || appVersion === null || isIn(appVersion, appVersions)
  );
  const namesApp = fits.some((file) => idsOf(file, "entry").length > 0);
  const files = namesApp ? fits : all;
  const isOwnLanguage = (file: ScreenFile) => language === null || ["any", language].includes(file.language);
  return new ScreenWords(files.filter(isOwnLanguage), files.filter((file) => !isOwnLanguage(file)));
}

function isIn(version: string, { from, below }: { from: string; below: string }): boolean {
  return compareVersions(version, from) >= 0 && compareVersions(version, below) < 0;
}

function idsOf({ ids }: ScreenFile, role: IdRole): readonly string[] {
  return ids.flatMap(({ names }) => names[role] ?? []);
}

/** Most serious first, and the harmless ones last. */
function phrasesOf(files: readonly ScreenFile[]): DialogPhrases {
  return [...DIALOG_MEANINGS, "in_the_way" as const].filter((kind) => kind !== "share_confirm").map((kind) =>
    [
      kind,
      files.flatMap(({ dialogs }) => dialogs[kind]?.phrases ?? []).map((words) => phraseOf(words)),
    ] as const
  );
}

function distinct<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}
