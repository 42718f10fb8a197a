/**
 * Leaves the sets of words that answers use open: states, reasons, codes, kinds. A word that a program does not know
 * counts as in progress, or as a refusal like others of its status. As closed lists they would make every new word a
 * breaking change for generated clients. What a program may also send stays closed: it must know which words are taken.
 */
type Json = Record<string, unknown>;

/** The parts of a document that are walked. */
export interface DescribedParts {
  paths: Record<string, object>;
  schemas: Readonly<Record<string, Json>>;
}

/** Fields whose words decide what a caller may do: a program has to know them all. */
const CLOSED = ["role", "duty", "mode", "scopes"];
/** Also what a list may be narrowed to; still, answers grow. */
const ALWAYS_OPEN = ["DeliveryState"];
/** Parts of a schema that describe the same field. */
const OF_THE_SAME = /^(items|anyOf|oneOf|allOf|\d+)$/;

/** Replaces `enum` by `x-extensible-enum` wherever the words are only answered. */
export function openSets({ paths, schemas }: DescribedParts): void {
  const calls = Object.values(paths).flatMap((methods) => Object.values(methods) as Json[]);
  for (const name of ALWAYS_OPEN) open(schemas[name]!);
  const asked = new Set<Json>();
  for (const { parameters, requestBody } of calls) {
    walk([parameters, requestBody], schemas, asked, () => {});
  }
  const answered = new Set<Json>();
  for (const { responses } of calls) {
    walk(responses, schemas, answered, (schema, name) => {
      if (!asked.has(schema) && !CLOSED.includes(name)) open(schema);
    });
  }
}

function open(schema: Json): void {
  const { enum: words, description } = schema;
  // A list of one is a literal: it tells forms apart.
  if (!Array.isArray(words) || words.length < 2 || typeof words[0] !== "string") return;
  const known = words.filter((word) => word !== null);
  delete schema.enum;
  schema["x-extensible-enum"] = known;
  schema.examples = [known[0]];
  schema.description = `${description ?? ""} Open: others may come. Today: ${known.join(", ")}.`.trim();
}

/** Visits every object below `value` and behind its references once, with the name of the field that holds it. */
function walk(
  value: unknown,
  schemas: DescribedParts["schemas"],
  seen: Set<Json>,
  visit: (schema: Json, name: string) => void,
  name = "",
): void {
  if (typeof value !== "object" || value === null || seen.has(value as Json)) return;
  const schema = value as Json;
  seen.add(schema);
  if (!Array.isArray(value)) visit(schema, name);
  const { $ref } = schema;
  if (typeof $ref === "string" && $ref.startsWith("#/components/schemas/")) {
    walk(schemas[$ref.split("/").at(-1)!], schemas, seen, visit, name);
  }
  for (const [field, part] of Object.entries(schema)) {
    walk(part, schemas, seen, visit, OF_THE_SAME.test(field) ? name : field);
  }
}
