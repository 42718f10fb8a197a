/**
 * Personal messages: placeholders such as {{שם}} and {{שם|לקוחות יקרים}} in a client's words, and the text that each
 * recipient gets. The editor, the preview and the edge use the same functions.
 */
import { closest, distance } from "fastest-levenshtein";
import { cleanFallback, cleanFieldName } from "./field_text.ts";

/** Most placeholders of one message. */
export const MAX_PLACEHOLDERS = 50;

/** A field's place in a text; `fallback` stands for an empty value, null = an empty value is not allowed. */
export interface Placeholder {
  field: string;
  fallback: string | null;
}
/** The place of the token that ends the recipient's own link for removal. */
export interface TokenPlace {
  token: true;
}
/** A piece of a message: words as written, a placeholder, or the place of a token, which no client writes. */
export type TextPart = string | Placeholder | TokenPlace;

export const TEMPLATE_FAULTS = ["unclosed", "no_name", "no_fallback", "too_many"] as const;
/** A mistake in the writing of a placeholder; `at` and `end` are its place in the text (UTF-16 units). */
export interface TemplateFault {
  code: (typeof TEMPLATE_FAULTS)[number];
  at: number;
  end: number;
}

/** A placeholder: two braces, neither braces nor a line's end between them. */
const PLACEHOLDER = /\{\{([^{}\n\r]*)\}\}/g;

/** Splits a message into its parts, and finds what is wrong with its placeholders. Linear in the text's length. */
export function parseTemplate(text: string): { parts: TextPart[]; faults: TemplateFault[] } {
  const parts: TextPart[] = [];
  const faults: TemplateFault[] = [];
  let end = 0;
  let count = 0;
  const addWords = (from: number, to: number) => {
    if (from === to) return;
    const words = text.slice(from, to);
    parts.push(words);
    for (let at = words.indexOf("{{"); at >= 0; at = words.indexOf("{{", at + 2)) {
      faults.push({ code: "unclosed", at: from + at, end: from + at + 2 });
    }
  };
  for (const match of text.matchAll(PLACEHOLDER)) {
    const at = match.index;
    addWords(end, at);
    end = at + match[0].length;
    const inner = match[1]!;
    const bar = inner.indexOf("|");
    const field = cleanFieldName(bar < 0 ? inner : inner.slice(0, bar));
    const fallback = bar < 0 ? null : cleanFallback(inner.slice(bar + 1));
    if (field === "") faults.push({ code: "no_name", at, end });
    else if (fallback === "") faults.push({ code: "no_fallback", at, end });
    if (++count === MAX_PLACEHOLDERS + 1) faults.push({ code: "too_many", at, end });
    parts.push({ field, fallback });
  }
  addWords(end, text.length);
  return { parts, faults: faults.sort((a, b) => a.at - b.at) };
}

/** Returns the names of the fields in a parsed message, each once, in their order. */
export function fieldsOf(parts: readonly TextPart[]): string[] {
  return [...new Set(placeholdersOf(parts).map(({ field }) => field))];
}

/** Returns the names of the fields that must not be empty. */
export function requiredFieldsOf(parts: readonly TextPart[]): string[] {
  return fieldsOf(placeholdersOf(parts).filter(({ fallback }) => fallback === null));
}

/** Returns whether a parsed message differs from one recipient to another. */
export function isPersonal(parts: readonly TextPart[]): boolean {
  return parts.some((part) => typeof part !== "string");
}

/**
 * Returns the text for a recipient with these values, or null when a value without a fallback is empty. `tokenOf` gives
 * the token of the recipient's own link; it is asked only when the text has one.
 */
export function composeText(
  parts: readonly TextPart[],
  values: Readonly<Record<string, string>>,
  tokenOf: () => string,
): string | null {
  let text = "";
  for (const part of parts) {
    const words = typeof part === "string"
      ? part
      : "token" in part
      ? tokenOf()
      : valueOf(values, part.field) || part.fallback;
    if (words === null) return null;
    text += words;
  }
  return text;
}

/** Returns the name that a mistyped field was probably meant to be, or null when none is near. */
export function nearestField(field: string, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const nearest = closest(field, names);
  return distance(field, nearest) <= Math.max(1, Math.floor(field.length / 2)) ? nearest : null;
}

/** Returns the placeholder of a field, as it stands in a message. */
export function placeholderOf(field: string): string {
  return `{{${field}}}`;
}

/** Returns whether a field can be asked for: a name with braces or a bar would end its own placeholder. */
export function canBeAsked(field: string): boolean {
  const { parts: [part, ...others] } = parseTemplate(placeholderOf(field));
  return others.length === 0 && field !== "" && typeof part === "object" && "field" in part &&
    part.field === field && part.fallback === null;
}

/** Returns the message with every placeholder of one field asking for another; fallbacks stay as written. */
export function renameField(text: string, from: string, to: string): string {
  return text.replace(PLACEHOLDER, (whole, inner: string) => {
    const bar = inner.indexOf("|");
    if (cleanFieldName(bar < 0 ? inner : inner.slice(0, bar)) !== from) return whole;
    return `{{${to}${bar < 0 ? "" : inner.slice(bar)}}}`;
  });
}

function placeholdersOf(parts: readonly TextPart[]): Placeholder[] {
  return parts.filter((part) => typeof part !== "string" && "field" in part);
}

/** A name such as "constructor" is a field only when the recipient has it. */
function valueOf(values: Readonly<Record<string, string>>, field: string): string {
  return Object.hasOwn(values, field) ? values[field]! : "";
}
