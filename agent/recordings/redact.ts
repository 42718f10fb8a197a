/**
 * Replaces what belongs to people before a recording is kept. Only what is known stays: the words of phrases and buttons
 * of the screen files, public words in a dialog's own parts, the time of a row, names of parts that no person's name can
 * be in (screens/plain_names.ts). All else, and every run of digits, becomes stand-ins of the same length and script.
 * The same word has the same stand-in, so that flows work on a recording as they did on the phone.
 */
import { plainWords } from "../screens/phrase.ts";
import { plainClass, plainId, plainPackage, plainWindow, type Replace } from "../screens/plain_names.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import { SHIPPED_WORDS } from "../screens/shipped_files.ts";
import type { RawNode } from "./dump_tree.ts";
import { FLAGS, type RecordedNode } from "./recording.ts";
import { isPublicWord, PUBLIC_NUMBERS } from "./vocabulary.ts";

/** The digits that replace those of the delivery's number, from the right. Nobody has this number. */
const MADE_UP_NUMBER = "111972545551234";
/** Two runs of digits that share so many at their ends are one phone number. */
const LEAST_SHARED_DIGITS = 7;
const MAX_TEXT = 20_000;

// In this order: the time of a row must not be taken for a number.
const CLOCK = String.raw`(?<![\p{Nd}:])\p{Nd}{1,2}:\p{Nd}{2}(?::\p{Nd}{2})?(?![\p{Nd}:])`;
const MARKS = "\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff";
const DIGITS = String.raw`\p{Nd}(?:[\s()\-\u2010-\u2015.\u00a0${MARKS}]{0,4}\p{Nd})*`;
const WORD = String.raw`[\p{L}\p{M}\p{Nl}\p{No}\p{Co}\p{Cn}]+`;
const SIGNS = String
  .raw`(?:\p{So}|\p{Sk}|\p{Emoji_Presentation}|\p{Emoji_Modifier})[\p{So}\p{Sk}\p{Emoji_Presentation}\p{Emoji_Modifier}\u200d\ufe0f\u20e3]*`;
const TOKEN = new RegExp(`(?<clock>${CLOCK})|(?<digits>${DIGITS})|(?<signs>${SIGNS})|(?<word>${WORD})`, "gu");
/** Invisible characters except marks of direction and joiners: they may carry a hidden text. */
const INVISIBLE = new RegExp(String.raw`(?![\n\t\r${MARKS}])[\p{Cf}\p{Cc}\p{Cs}]`, "gu");

/** Ids of nodes with the words of people. There no word is public. */
const PERSONAL =
  /:id\/(?:message_text|caption|entry|single_msg_tv|recipients_text|\w*contact_name\w*|\w*name_in_group\w*|quoted_\w+|\w*subject\w*)$/;
const LIST = /(?:ListView|RecyclerView)$/;
const BOX = /EditText$/;
/** Parts that hold an app's own words, or Android's, and no list. Public words may stay there. */
const LABEL =
  /^android:id\/(?:message|alertTitle|button[123]|aerr_\w+)$|^com\.(?:google\.)?android\.(?:permissioncontroller|packageinstaller):id\/[a-z_]+$/;
const SYSTEM = /^(?:android|com\.(?:google\.)?android\.(?:permissioncontroller|packageinstaller))$/;
const APP = /^com\.whatsapp(?:\.w4b)?$/;
/** Attributes of uiautomator without a field of their own. */
const MORE =
  /^(?:NAF|rotation|drawing-order|display-id|pane-title|tooltip-text|state-description|error|heading)$/;
const BOUNDS = /^\[(-?\d{1,5}),(-?\d{1,5})\]\[(-?\d{1,5}),(-?\d{1,5})\]$/;
export interface RedactorOptions {
  /** The delivery's own number, "+972…": its digits become a fixed made-up number. */
  phone?: string;
  /** The delivery's text: rows that show only its beginning are still recognised. */
  text?: string;
  /** The account's app; "" when it is not known yet. @default "" */
  app?: string;
  /** What is known about the screens. @default {what the release knows} */
  words?: ScreenWords;
  /** Returns a number in [0, 1). @default {a cryptographic one} */
  random?: () => number;
}

/** The stand-ins of one recording. Nothing links them to those of another. */
export class Redactor {
  readonly #random: () => number;
  readonly #words = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #numbers: { real: string; standIn: string }[] = [];
  readonly #short = new Map<string, string>();
  readonly #boots: string[] = [];
  readonly #ownWords: string[];
  readonly #names = new Map<string, string>();
  readonly #app: string;
  readonly #known: ScreenWords;

  constructor(
    { phone, text = "", app = "", words = SHIPPED_WORDS, random = cryptographic }: RedactorOptions = {},
  ) {
    this.#random = random;
    this.#app = app;
    this.#known = words;
    if (phone !== undefined) {
      const real = phone.replace(/\D/g, "");
      this.#numbers.push({ real, standIn: MADE_UP_NUMBER.slice(-real.length) });
    }
    this.#ownWords = [...text.matchAll(new RegExp(WORD, "gu"))].map(([word]) => word);
  }

  /** Returns a text of a dialog's own part without the words of people. */
  label(value: string): string {
    const isKept = this.#keptBy(value);
    // A phrase with a gap has a person's name in it.
    if (this.#known.phrasesIn(value).some((parts) => parts.length > 1)) return this.#replace(value, isKept);
    return this.#replace(
      value,
      (word, at) => isKept(word) || (isPublicWord(word) && !isName(value, word, at)),
    );
  }

  /** Returns a text that is not known to be the app's own: the words of known phrases in it stay. */
  shown(value: string): string {
    if (this.#known.isKnownText(value)) return value;
    const name = this.#known.otherButtonIn(value);
    const rest = value.slice(name.length);
    return name + this.#replace(rest, this.#keptBy(rest));
  }

  /** Returns a text of a person: no word of it stays, except the app's mark at the end of a cut text and of one's own chat. */
  personal(value: string): string {
    const title = this.#known.withoutOwnMark(value);
    // Without its mark one's own chat would be that of a name.
    if (title !== value) {
      return this.#replace(title, () => false) + value.slice(title.length).replace(INVISIBLE, "");
    }
    const whole = this.#known.withoutCutOff(value);
    const cut = value.slice(whole.length);
    return this.#replace(whole, () => false, cut !== "") + this.#replace(cut, isPublicWord);
  }

  /** Returns the text of a row's time. Only a time that stands alone stays. */
  time(value: string): string {
    const numbers = value.match(/\p{Nd}+(?:[:.]\p{Nd}+)*/gu) ?? [];
    const [clock = ""] = value.match(new RegExp(CLOCK, "u")) ?? [];
    if (numbers.length !== 1 || clock !== numbers[0] || !isTime(clock)) return this.personal(value);
    const at = value.indexOf(clock);
    const isKept = (word: string) => isPublicWord(word) && word.length <= 2;
    return this.#replace(value.slice(0, at), isKept) + clock +
      this.#replace(value.slice(at + clock.length), isKept);
  }

  /** Returns the delivery's number in stand-ins, "+…". */
  phone(value: string): string {
    return `+${this.#number(value.replace(/\D/g, ""))}`;
  }

  /** Returns which boot of the phone this id belongs to, counted from 1. */
  boot(id: string): number {
    if (!this.#boots.includes(id)) this.#boots.push(id);
    return this.#boots.indexOf(id) + 1;
  }

  /** Returns the title of a window: the plain parts of a component, or a known form of Android. */
  window(title: string): string {
    const window = plainWindow(title, this.#app || title.split("/")[0]!, this.#known, this.#name);
    return (window ?? this.personal(title)).slice(0, 200);
  }

  /** `isInList`: rows of a list hold people's words, whatever a version of the app calls them. */
  node({ attributes, nodes }: RawNode, isInList = false): RecordedNode {
    const raw = new Map(attributes);
    const take = (name: string) => {
      const value = raw.get(name) ?? "";
      raw.delete(name);
      return value.slice(0, MAX_TEXT);
    };
    const id = take("resource-id");
    const owner = take("package");
    const className = take("class");
    const app = this.#app || (APP.test(owner) ? owner : "");
    const words = (value: string) => {
      if (this.#known.ids("rowDate", app).includes(id)) return this.time(value);
      if (isInList || PERSONAL.test(id) || BOX.test(className)) return this.personal(value);
      const isOwn = owner === "" || owner === app || SYSTEM.test(owner);
      return LABEL.test(id) && isOwn ? this.label(value) : this.shown(value);
    };
    const box = BOUNDS.exec(take("bounds"))?.slice(1).map(Number);
    const is = FLAGS.filter((flag) => take(flag) === "true");
    const isWithin = isInList || LIST.test(className) || is.includes("scrollable");
    const node: RecordedNode = {
      id: plainId(id, app, this.#known, this.#name).slice(0, 200),
      class: plainClass(className, this.#known, this.#name).slice(0, 200),
      app: plainPackage(owner, app, this.#name).slice(0, 200),
      text: words(take("text")),
      description: words(take("content-desc")),
      hint: this.shown(take("hint")),
      ...(box ? { box: box as RecordedNode["box"] } : {}),
      ...(is.length > 0 ? { is } : {}),
    };
    take("index");
    const more = [...raw].slice(0, 20).map(([name, value], at): [string, string] => [
      MORE.test(name) ? name : `unknown-${at + 1}`,
      /^(?:true|false)$/.test(value) ? value : this.personal(value.slice(0, MAX_TEXT)),
    ]);
    if (more.length > 0) node.more = Object.fromEntries(more);
    for (const key of ["id", "class", "app", "text", "description", "hint"] as const) {
      if (node[key] === "") delete node[key];
    }
    if (nodes.length > 0) node.nodes = nodes.map((inner) => this.node(inner, isWithin));
    return node;
  }

  /** The same name has the same stand-in in the whole recording, "id_1". */
  readonly #name: Replace = (name, kind) => {
    const key = `${kind} ${name}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const count = [...this.#names.keys()].filter((each) => each.startsWith(`${kind} `)).length;
    const standIn = `${kind}_${count + 1}`;
    this.#names.set(key, standIn);
    return standIn;
  };

  /** Returns which words belong to known phrases that a text holds. */
  #keptBy(value: string): (word: string) => boolean {
    const parts = this.#known.phrasesIn(value).flat().map((part) => part.match(new RegExp(WORD, "gu")) ?? []);
    const kept = new Set(parts.flat());
    const ends = parts.flatMap((words) => words.at(-1) ?? []);
    return (word) => {
      const plain = plainWords(word);
      return kept.has(plain) || (isPublicWord(word) && ends.some((end) => plain.startsWith(end)));
    };
  }

  #replace(value: string, stays: (word: string, at: number) => boolean, isCut = false): string {
    const visible = value.replace(INVISIBLE, "");
    const kept = [...visible.matchAll(PUBLIC_NUMBERS)].map((
      found,
    ) => [found.index, found.index + found[0].length]);
    const isKept = (at: number) => kept.some(([start, end]) => at >= start! && at < end!);
    return visible.replace(TOKEN, (token, ...rest) => {
      const { clock, digits, signs } = rest.at(-1) as Record<string, string | undefined>;
      const at = rest.at(-3) as number;
      if (clock !== undefined) return this.#digitsIn(clock);
      if (digits !== undefined) return isKept(at) ? token : this.#digitsIn(token);
      if (signs !== undefined) return this.#standIn(token);
      if (stays(token, at)) return token;
      const isLast = isCut && at + token.length === visible.length;
      const own = isLast
        ? this.#ownWords.find((word) => word !== token && word.startsWith(token))
        : undefined;
      return own ? this.#standIn(own).slice(0, token.length) : this.#standIn(token);
    });
  }

  /** Replaces the digits of a text and keeps everything between them. */
  #digitsIn(text: string): string {
    const characters = [...text];
    const places = characters.flatMap((character, at) => /\p{Nd}/u.test(character) ? [at] : []);
    const standIn = this.#number(places.map((at) => digitOf(characters[at]!)).join(""));
    places.forEach((at, index) => {
      const zero = characters[at]!.codePointAt(0)! - digitOf(characters[at]!);
      characters[at] = String.fromCodePoint(zero + Number(standIn[index]));
    });
    return characters.join("");
  }

  /** Returns the stand-in of digits, of the same length. A number with and without its country code stays one number. */
  #number(digits: string): string {
    const core = digits.replace(/^0+/, "");
    const zeros = digits.slice(0, digits.length - core.length);
    if (core.length < LEAST_SHARED_DIGITS) {
      const known = this.#short.get(digits) ?? this.#otherDigits(digits);
      this.#short.set(digits, known);
      return known;
    }
    const number = this.#numbers.find(({ real }) => real.endsWith(core) || core.endsWith(real));
    if (!number) {
      this.#numbers.push({ real: core, standIn: this.#otherDigits(core) });
    } else if (core.length > number.real.length) {
      number.standIn = this.#otherDigits(core.slice(0, -number.real.length)) + number.standIn;
      number.real = core;
    }
    const { standIn } = number ?? this.#numbers.at(-1)!;
    return `${zeros.slice(1)}${zeros === "" ? "" : "0"}${standIn.slice(-core.length)}`;
  }

  /** Returns digits without zeros, each other than the one it replaces. */
  #otherDigits(digits: string): string {
    return [...digits].map((digit) => pick([..."123456789"].filter((other) => other !== digit), this.#random))
      .join("");
  }

  #standIn(word: string): string {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    let standIn = "";
    // Short words have few stand-ins: then a longer one is better than one for two words.
    for (let tries = 0; standIn === ""; tries++) {
      const longer = word + (tries > 60 ? [...word].at(-1)!.repeat(Math.ceil((tries - 60) / 60)) : "");
      const made = [...longer].map((character) => this.#character(character)).join("");
      if (made !== word && !this.#used.has(made) && !isPublicWord(made)) standIn = made;
      if (tries > 600) standIn = `${made}${this.#words.size}`;
    }
    this.#words.set(word, standIn);
    this.#used.add(standIn);
    return standIn;
  }

  #character(character: string): string {
    if (/\p{M}|[\u200d\ufe0f\u20e3]/u.test(character)) return character;
    const alphabet = ALPHABETS.find(({ has }) => has.test(character))?.letters ?? neighbours(character);
    return pick(alphabet, this.#random);
  }
}

const BRANDS: ReadonlySet<string> = new Set([
  "WhatsApp",
  "Android",
  "Google",
  "Chrome",
  "Wi",
  "Fi",
  "Business",
]);
const SIGN_STAND_INS = [
  ..."🙂🎈🌟🍀🔷🔶🎁🎯🎵🚀🌈🍎🍋🍇🥕🌽🐟🐢🦋🐝🌵🌻⚽🏀🎲🧩🪁🛶🚲⛵🧭🔔🔑🧲🧵🧶🪑🛋🧺🪣🧽🪴",
];
const ALPHABETS = [
  { has: /[\p{So}\p{Sk}\p{Emoji_Presentation}]/u, letters: SIGN_STAND_INS },
  { has: /[א-ת]/u, letters: [..."אבגדהוזחטילמנסעפצקרשת"] },
  { has: /\p{Script=Arabic}/u, letters: [..."بتثجحخدذرزسشصضطظعغفقكلمنهو"] },
  { has: /(?=\p{Lu})\p{Script=Cyrillic}/u, letters: [..."БВГДЖЗКЛМНПРСТФХЦЧШЭЮЯ"] },
  { has: /\p{Script=Cyrillic}/u, letters: [..."бвгджзклмнпрстфхцчшэюяаеиоу"] },
  { has: /(?=\p{Lu})\p{Script=Latin}/u, letters: [..."BCDFGHJKLMNPQRSTVWXZ"] },
  { has: /\p{Script=Latin}/u, letters: [..."abcdefghijklmnopqrstuvwxyz"] },
];

/** Returns other letters beside a letter in the table of characters: of the same script, nearly always. */
function neighbours(character: string): string[] {
  const start = character.codePointAt(0)! & ~31;
  const others = Array.from({ length: 32 }, (_, at) => String.fromCodePoint(start + at))
    .filter((other) => other !== character && /[\p{L}\p{No}\p{Nl}]/u.test(other));
  return others.length > 0 ? others : ["x"];
}

function pick(letters: readonly string[], random: () => number): string {
  return letters[Math.floor(random() * letters.length)]!;
}

function digitOf(character: string): number {
  const plain = Number(character.normalize("NFKC"));
  if (Number.isInteger(plain)) return plain;
  let value = 0;
  const code = character.codePointAt(0)!;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}

/** True for a word with a capital inside a sentence: there a public word may be a name. */
function isName(text: string, word: string, at: number): boolean {
  if (!/^\p{Lu}\p{Ll}/u.test(word) || BRANDS.has(word)) return false;
  return /[^\s.!?:"“«(\p{Cf}][\s\p{Cf}]*$/u.test(text.slice(0, at));
}

function isTime(clock: string): boolean {
  const [hours, minutes, seconds = 0] = clock.split(":").map((part) =>
    Number([...part].map(digitOf).join(""))
  );
  return hours! < 25 && minutes! < 60 && seconds < 60;
}

function cryptographic(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;
}
