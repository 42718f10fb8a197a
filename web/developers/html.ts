/** HTML by template: every value is escaped, unless it is HTML itself. */

/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly (Html | undefined)[] | undefined;

/** Builds HTML from a template; strings in it become text. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(values[at - 1]) + part));
}

/** Returns a sentence in which what stands between backquotes is code, read from left to right. */
export function sentence(text: string): Html[] {
  return text.split("`").map((part, at) =>
    at % 2 === 0 ? html`${part}` : html`<code dir="ltr">${part}</code>`
  );
}

function textOf(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return (value as readonly (Html | undefined)[]).map(textOf).join("");
  return String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
