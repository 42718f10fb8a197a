/** The reference of every call, made from the frozen API description. */
import { type Html, html, sentence } from "./html.ts";
import type { Words } from "./words.ts";

type Json = Record<string, unknown>;

export interface ApiDocument {
  paths: Record<string, Record<string, Call>>;
  components: {
    schemas: Record<string, Json>;
    parameters: Record<string, Parameter>;
  };
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Json;
}

interface Call {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, Body> };
  responses: Record<string, { description: string; content?: Record<string, Body> }>;
}

interface Body {
  schema: Json;
  example?: unknown;
}

/** Parts of the API in the order in which a program needs them; others follow by name. */
const ORDER = [
  "campaigns",
  "staged-files",
  "lists",
  "suppressions",
  "replies",
  "profile",
  "consents.csv",
  "users",
];

/** Returns the calls, those of a part together; the ones that no key may make come last. */
export function reference(document: ApiDocument, words: Words): Html[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method, call }))
  );
  const tags = [...new Set(calls.map(({ call }) => call.tags[0]!))];
  const place = (tag: string) => ORDER.includes(tag) ? ORDER.indexOf(tag) : ORDER.length;
  return tags.sort((a, b) => place(a) - place(b) || a.localeCompare(b)).map((tag) =>
    html`<h3 id="calls-${tag.replace(".", "-")}" dir="ltr">/api/${tag}</h3>
${
      calls.filter(({ call }) => call.tags[0] === tag).map(({ path, method, call }) =>
        callHtml(document, words, { path, method, call })
      )
    }`
  );
}

function callHtml(
  document: ApiDocument,
  words: Words,
  { path, method, call }: { path: string; method: string; call: Call },
): Html {
  const { reference: r } = words;
  const parameters = (call.parameters ?? []).map((parameter) =>
    "$ref" in parameter ? document.components.parameters[lastPart(parameter.$ref)]! : parameter
  );
  const isOnce = parameters.some(({ name }) => name === "Idempotency-Key");
  const own = parameters.filter((parameter) => parameter.in !== "header");
  const answers = Object.entries(call.responses);
  return html`
    <details class="call" id="${call.operationId}">
    <summary><span class="method">${method
      .toUpperCase()}</span> <code dir="ltr">${path}</code> <span class="what" lang="en" dir="ltr">${call
      .summary}</span></summary>
    <p>${wayIn(call, words)}${isOnce
      ? html`
        · ${sentence(r.once)}
      `
      : undefined}</p>
    ${own.length > 0
      ? html`<h4>${r.parameters}</h4>${
        fieldList(own.map((one) => [one.name, one.schema, one.required === true]), r.required)
      }`
      : undefined}
    ${Object.entries(call.requestBody?.content ?? {}).map(([type, body]) =>
      bodyHtml(document, r.body, type, body, r.required)
    )}
    ${answers.filter(([status]) => Number(status) < 400).map(([status, answer]) =>
      html`<h4>${r.answer} <span class="num">${status}</span></h4><p lang="en" dir="ltr">${answer.description}</p>${
        Object.values(answer.content ?? {}).map(({ example }) => code(example))
      }`
    )}
    <h4>${r.refusals}</h4>
    <ul class="codes" dir="ltr">${answers.filter(([status]) => Number(status) >= 400).flatMap((
      [status, { description }],
    ) =>
      description.split(", ").map((name) =>
        html`<li><span class="num">${status}</span> <code>${name}</code></li>`
      )
    )}</ul>
    </details>
  `;
}

function wayIn({ security }: Call, { reference: r }: Words): Html[] {
  if (security?.length === 0) return sentence(r.open);
  const scopes = security?.flatMap(({ key }) => key ?? []) ?? [];
  if (security?.some(({ key }) => key?.length === 0)) return sentence(`${r.scopes} ${r.anyKey}`);
  if (scopes.length === 0) return sentence(r.noKey);
  return sentence(`${r.scopes} ${scopes.map((scope) => `\`${scope}\``).join(" / ")}`);
}

function bodyHtml(document: ApiDocument, name: string, type: string, body: Body, required: string): Html {
  const schema = resolve(document, body.schema);
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const needed = (schema.required ?? []) as string[];
  return html`<h4>${name} <code dir="ltr">${type}</code></h4>
${fieldList(fields.map(([field, own]) => [field, resolve(document, own), needed.includes(field)]), required)}
${code(body.example)}`;
}

function fieldList(fields: readonly [string, Json, boolean][], required: string): Html | undefined {
  if (fields.length === 0) return undefined;
  return html`<ul class="fields" dir="ltr">${
    fields.map(([name, schema, isNeeded]) =>
      html`<li><code>${name}</code> <span>${typeOf(schema)}${
        isNeeded
          ? html`
            · ${required}
          `
          : undefined
      }</span></li>`
    )
  }</ul>`;
}

function typeOf(schema: Json): string {
  const words = (schema.enum ?? schema["x-extensible-enum"]) as unknown[] | undefined;
  if (words !== undefined && words.length <= 12) return words.join(" | ");
  if (Array.isArray(schema.anyOf)) {
    return (schema.anyOf as Json[]).map((one) => one.$ref ? lastPart(one.$ref) : typeOf(one)).join(" | ");
  }
  const type = [schema.type ?? "object"].flat().join(" | ");
  const bounds = [schema.minimum, schema.maximum].some((bound) => bound !== undefined)
    ? ` ${schema.minimum ?? ""}..${schema.maximum ?? ""}`
    : schema.maxLength !== undefined
    ? ` ≤ ${schema.maxLength}`
    : "";
  return `${type}${schema.format ? ` (${schema.format})` : ""}${bounds}`;
}

function code(example: unknown): Html | undefined {
  if (example === undefined) return undefined;
  return html`<pre dir="ltr" tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`;
}

function resolve(document: ApiDocument, schema: Json): Json {
  return schema.$ref === undefined
    ? schema
    : resolve(document, document.components.schemas[lastPart(schema.$ref)]!);
}

function lastPart(ref: unknown): string {
  return String(ref).split("/").at(-1)!;
}
