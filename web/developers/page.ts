/** The page for developers: static HTML in two languages, without a script of its own. */
import { ERROR_STATUS, type ErrorCode } from "shared/error_code.ts";
import { ERROR_WORDS } from "./error_words.ts";
import { type Html, html, sentence } from "./html.ts";
import { type ApiDocument, reference } from "./reference.ts";
import { LANGUAGE_NAMES, SAMPLE_LANGUAGES, SAMPLES } from "./samples.ts";
import { type PageLanguage, WORDS, type Words } from "./words.ts";

export interface PageParts {
  language: PageLanguage;
  /** The API that programs were told of, with examples of its refusals. */
  document: ApiDocument & { components: { examples: Record<string, { value: { error: string } }> } };
  /** Addresses of the built files. */
  assets: { themeBoot: string; styles: readonly string[]; font: string };
}

const SECTIONS = ["steps", "keys", "events", "webhooks", "repeats", "errors", "limits", "reference"] as const;

/** Returns the whole page. */
export function developersPage({ language, document, assets }: PageParts): string {
  const words = WORDS[language];
  const direction = language === "he" ? "rtl" : "ltr";
  return html`
    <!doctype html>
    <html lang="${language}" dir="${direction}" data-theme="dark">
      <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <meta name="description" content="${words.description}">
    <title>${words.title}</title>
    <script src="${assets.themeBoot}"></script>
    <link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
    ${assets.styles.map((style) =>
      html`
        <link rel="stylesheet" href="${style}">
      `
    )}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
      </head>
      <body class="developers">
        <header class="top">
          <div>
            <a class="wordmark" href="/">${words.wordmark}</a>
            <nav><a href="/">${words.home}</a> <a href="${words.other.path}" lang="${language === "he"
              ? "en"
              : "he"}">${words.other.name}</a></nav>
          </div>
        </header>
        <main>
    <h1>${words.heading}</h1>
    <p class="lead">${words.lead}</p>
    <nav class="on-page" aria-label="${words.contents}"><ul>${SECTIONS.map((name) =>
      html`<li><a href="#${name}">${words[name].heading}</a></li>`
    )}</ul></nav>
    ${steps(words)}
    ${section("keys", words.keys.heading, [
      ...paragraphs(words.keys.texts),
      table([words.keys.scope, words.keys.opens], Object.entries(words.scopes)),
    ])}
    ${section("events", words.events.heading, [
      ...paragraphs(words.events.texts),
      html`<h3>${words.events.campaign}</h3>`,
      table([words.events.state, words.events.means], Object.entries(words.statuses)),
      html`<h3>${words.events.message}</h3>`,
      table([words.events.state, words.events.means], Object.entries(words.states)),
    ])}
    ${section("webhooks", words.webhooks.heading, [
      ...paragraphs(words.webhooks.texts),
      table([words.webhooks.type, words.webhooks.means], Object.entries(words.webhookTypes)),
    ])}
    ${section("repeats", words.repeats.heading, paragraphs(words.repeats.texts))}
    ${section("errors", words.errors.heading, [
      ...paragraphs(words.errors.texts),
      errorTable(language, words, document.components.examples),
    ])}
    ${section("limits", words.limits.heading, paragraphs(words.limits.texts))}
    ${section("reference", words.reference.heading, [
      ...paragraphs(words.reference.texts),
      ...reference(document, words),
    ])}
        </main>
      </body>
    </html>
  `.text;
}

/** The samples of one language show at a time, by its radio button. */
function steps({ steps: { heading, chooser, titles, texts }, after }: Words): Html {
  return html`
    <section id="steps" class="first-message">
      <h2>${heading}</h2>
      <fieldset><legend>${chooser}</legend>${SAMPLE_LANGUAGES.map((language, at) =>
        html`<label><input type="radio" name="sample" value="${language}"${
          at === 0
            ? html`
              checked
            `
            : undefined
        }><span dir="ltr">${LANGUAGE_NAMES[language]}</span></label>`
      )}</fieldset>
      <ol>${titles.map((title, at) =>
        html`<li><h3>${title}</h3><p>${sentence(texts[at]!)}</p>${
          SAMPLE_LANGUAGES.map((language) =>
            html`<pre dir="ltr" tabindex="0" data-sample="${language}"><code>${
              SAMPLES[language][at]
            }</code></pre>`
          )
        }</li>`
      )}</ol>
      <p>${sentence(after)}</p>
    </section>
  `;
}

function section(id: string, heading: string, content: readonly Html[]): Html {
  return html`<section id="${id}"><h2>${heading}</h2>
${content}</section>`;
}

function paragraphs(texts: readonly string[]): Html[] {
  return texts.map((text) =>
    html`
      <p>${sentence(text)}</p>
    `
  );
}

function table(heads: readonly string[], rows: readonly (readonly [string, string])[]): Html {
  return html`
    <table>
      <thead>
        <tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr>
      </thead>
      <tbody>${rows.map(([name, meaning]) =>
        html`
          <tr>
            <th scope="row"><code dir="ltr">${name}</code></th>
            <td>${sentence(meaning)}</td>
          </tr>
        `
      )}</tbody>
    </table>
  `;
}

function errorTable(
  language: PageLanguage,
  { errors }: Words,
  examples: Record<string, { value: { error: string } }>,
): Html {
  // What a call never refuses with, such as a fault of the server, has no example.
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) =>
    code in examples || code === "internal"
  );
  const meaning = (code: ErrorCode) =>
    language === "he" && code in examples ? examples[code]!.value.error : ERROR_WORDS[code];
  const isEnglish = (code: ErrorCode) => language === "he" && !(code in examples);
  return html`
    <table class="errors">
      <thead>
        <tr>
          <th scope="col">${errors.status}</th>
          <th scope="col">${errors.code}</th>
          <th scope="col">${errors.means}</th>
        </tr>
      </thead>
      <tbody>${codes.map((code) =>
        html`
          <tr>
            <td class="num">${ERROR_STATUS[code]}</td>
            <th scope="row"><code dir="ltr">${code}</code></th>
            <td${isEnglish(code)
              ? html`
                lang="en" dir="ltr"
              `
              : undefined}>${meaning(code)}</td></tr>
        `
      )}</tbody>
    </table>
  `;
}
