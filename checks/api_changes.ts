/**
 * What changed between two versions of the API description, and what of it breaks a program that was written for the
 * older one. An answer may gain fields, and an open set (`x-extensible-enum`) words; a request may gain optional fields.
 */
type Json = Record<string, unknown>;

export interface ApiDocument {
  paths: Record<string, Record<string, Json>>;
  components: { schemas?: Record<string, Json>; parameters?: Record<string, Json> };
}

/** Whose side a schema is on: what a program sends may only be accepted more, what it gets may only be more certain. */
type Side = "asks" | "answers";
interface Compared {
  side: Side;
  before: ApiDocument;
  after: ApiDocument;
  seen: Set<string>;
  found: string[];
}

/** Returns one line for each breaking change, by call. */
export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  const found: string[] = [];
  for (const [path, calls] of Object.entries(before.paths)) {
    for (const [method, call] of Object.entries(calls)) {
      const route = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now === undefined) found.push(`${route}: is gone`);
      else found.push(...callChanges({ before, after }, call, now).map((change) => `${route}: ${change}`));
    }
  }
  return found;
}

function callChanges(documents: Pick<Compared, "before" | "after">, old: Json, now: Json): string[] {
  const found: string[] = [];
  if (old.operationId !== now.operationId) found.push(`operationId was ${old.operationId}`);
  for (const way of securityOf(old)) if (!securityOf(now).includes(way)) found.push(`no longer by ${way}`);
  const asks = { ...documents, side: "asks" as const, seen: new Set<string>(), found };
  compareParameters(asks, old, now);
  const body = old.requestBody as Json | undefined;
  const bodyNow = now.requestBody as Json | undefined;
  if (body === undefined && bodyNow?.required === true) found.push("needs a body");
  if (body !== undefined && bodyNow?.required === true && body.required !== true) {
    found.push("needs its body");
  }
  compareContent(asks, "body", body, bodyNow);
  const answers = { ...documents, side: "answers" as const, seen: new Set<string>(), found };
  const responses = now.responses as Record<string, Json>;
  for (const [status, answer] of Object.entries(old.responses as Record<string, Json>)) {
    // A program treats a refusal that it does not know by the class of its status.
    if (Number(status) >= 400) continue;
    if (responses[status] === undefined) found.push(`no longer answers ${status}`);
    else compareContent(answers, status, answer, responses[status]);
  }
  return found;
}

function securityOf(call: Json): string[] {
  return (call.security as Json[] | undefined ?? [{ session: [] }]).map((way) => JSON.stringify(way));
}

function compareParameters(compared: Compared, old: Json, now: Json): void {
  const listOf = (document: ApiDocument, call: Json) =>
    (call.parameters as Json[] | undefined ?? []).map((parameter) =>
      parameter.$ref === undefined ? parameter : document.components.parameters![lastPart(parameter.$ref)]!
    );
  const [were, are] = [listOf(compared.before, old), listOf(compared.after, now)];
  const same = (a: Json) => (b: Json) => a.name === b.name && a.in === b.in;
  for (const parameter of were) {
    const present = are.find(same(parameter));
    if (present === undefined) compared.found.push(`parameter ${parameter.name} is gone`);
    else {compareSchemas(
        compared,
        `parameter ${parameter.name}`,
        parameter.schema as Json,
        present.schema as Json,
      );}
  }
  for (const parameter of are) {
    const before = were.find(same(parameter));
    if (parameter.required === true && before?.required !== true) {
      compared.found.push(`parameter ${parameter.name} is required`);
    }
  }
}

function compareContent(compared: Compared, where: string, old?: Json, now?: Json): void {
  const contentNow = now?.content as Record<string, Json> | undefined;
  for (const [type, body] of Object.entries(old?.content as Record<string, Json> | undefined ?? {})) {
    const present = contentNow?.[type];
    if (present === undefined) compared.found.push(`${where}: no longer ${type}`);
    else if (body.schema) compareSchemas(compared, where, body.schema as Json, present.schema as Json);
  }
}

function compareSchemas(compared: Compared, where: string, was: Json, is: Json): void {
  const { before, after, side, seen, found } = compared;
  const pair = JSON.stringify([was.$ref ?? was, is.$ref ?? is]);
  if (seen.has(pair)) return;
  seen.add(pair);
  const [old, now] = [resolve(before, was), resolve(after, is)];
  const [types, typesNow] = [typesOf(old), typesOf(now)];
  // What is sent may be of fewer types than are taken; what is answered of fewer than were told.
  const [narrow, wide] = side === "asks" ? [types, typesNow] : [typesNow, types];
  const strange = narrow.filter((type) =>
    !wide.includes(type) && !(type === "integer" && wide.includes("number"))
  );
  if (strange.length > 0) return void found.push(`${where}: ${types.join("|")} is now ${typesNow.join("|")}`);
  compareWords(compared, where, old, now);
  compareBounds(compared, where, old, now);
  compareObjects(compared, where, old, now);
  if (old.items && now.items) compareSchemas(compared, `${where}[]`, old.items as Json, now.items as Json);
  const [choices, choicesNow] = [choicesOf(old), choicesOf(now)];
  for (const [at, choice] of choices.entries()) {
    if (choicesNow[at] !== undefined) compareSchemas(compared, where, choice, choicesNow[at]);
  }
  const isFewer = side === "asks" ? choicesNow.length < choices.length : choicesNow.length > choices.length;
  if (isFewer && choices.length > 0) {
    found.push(`${where}: ${choices.length} forms are now ${choicesNow.length}`);
  }
}

function compareWords({ side, found }: Compared, where: string, old: Json, now: Json): void {
  const [words, wordsNow] = [old.enum, now.enum] as (unknown[] | undefined)[];
  if (side === "asks") {
    const refused = words?.filter((word) => wordsNow !== undefined && !wordsNow.includes(word)) ?? [];
    if (refused.length > 0) found.push(`${where}: no longer takes ${refused.join(", ")}`);
    if (words === undefined && wordsNow !== undefined) {
      found.push(`${where}: takes only ${wordsNow.join(", ")}`);
    }
  } else if (words !== undefined) {
    const strange = wordsNow?.filter((word) => !words.includes(word)) ?? ["any word"];
    if (strange.length > 0) found.push(`${where}: may be ${strange.join(", ")}`);
  }
}

/** Bounds of a request that became tighter; each with the sign by which a larger value is tighter. */
const BOUNDS = {
  minimum: 1,
  exclusiveMinimum: 1,
  minLength: 1,
  minItems: 1,
  maximum: -1,
  maxLength: -1,
  maxItems: -1,
} as const;

function compareBounds({ side, found }: Compared, where: string, old: Json, now: Json): void {
  if (side === "answers") return;
  for (const [bound, sign] of Object.entries(BOUNDS)) {
    const [was, is] = [old[bound], now[bound]] as (number | undefined)[];
    if (is !== undefined && (was === undefined || (is - was) * sign > 0)) {
      found.push(`${where}: ${bound} is ${is}`);
    }
  }
  if (now.pattern !== undefined && now.pattern !== old.pattern) found.push(`${where}: has another pattern`);
}

function compareObjects(compared: Compared, where: string, old: Json, now: Json): void {
  const { side, found } = compared;
  const [fields, fieldsNow] = [fieldsOf(old), fieldsOf(now)];
  const [required, requiredNow] = [old.required ?? [], now.required ?? []] as string[][];
  for (const [name, schema] of Object.entries(fields)) {
    const at = `${where}.${name}`;
    if (fieldsNow[name] === undefined) found.push(`${at} is gone`);
    else compareSchemas(compared, at, schema, fieldsNow[name]);
    if (side === "answers" && required!.includes(name) && fieldsNow[name] && !requiredNow!.includes(name)) {
      found.push(`${at} may be absent`);
    }
  }
  if (side === "answers") return;
  for (const name of requiredNow!) if (!required!.includes(name)) found.push(`${where}.${name} is required`);
}

function fieldsOf({ properties }: Json): Record<string, Json> {
  return (properties ?? {}) as Record<string, Json>;
}

function choicesOf({ anyOf, oneOf }: Json): Json[] {
  return (anyOf ?? oneOf ?? []) as Json[];
}

/** Returns no types for a schema that is only a choice: its forms are compared. */
function typesOf({ type }: Json): string[] {
  return type === undefined ? [] : [type].flat() as string[];
}

function resolve(document: ApiDocument, schema: Json): Json {
  let found = schema;
  while (found.$ref !== undefined) found = document.components.schemas![lastPart(found.$ref)]!;
  return found;
}

function lastPart(ref: unknown): string {
  return String(ref).split("/").at(-1)!;
}
