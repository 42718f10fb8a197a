/** Parts of a route's description: its JSON response, its JSON body, and refusals shared with other routes. */
import type { z } from "@hono/zod-openapi";
import { ERROR_STATUS, errorBodySchema, type ErrorCode } from "shared/error_code.ts";

/** Returns the description of a response with `schema` as JSON. */
export function jsonAnswer<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** A spreadsheet file. */
export const csvAnswer = {
  description: "CSV, UTF-8 with a byte order mark",
  content: { "text/csv": { schema: { type: "string" as const } } },
};

/** The `security` of a route without a session. */
export const OPEN: Record<string, string[]>[] = [];

/** Returns the description of a required JSON body of `schema`. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { "application/json": { schema } } };
}

interface FormField {
  type: "string";
  format?: "binary";
  description?: string;
  enum?: string[];
}

/** A file in a form. */
export const FILE_FIELD: FormField = { type: "string", format: "binary" };

/**
 * Returns the description of a required form with files. It is for the API description only: the handler counts and
 * parses the body as it streams in.
 */
export function formBody(properties: Record<string, FormField>, required: string[]) {
  const schema = { type: "object" as const, required, properties };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

/**
 * Possible refusals of a call that needs a proof; a call's own refusals with the same statuses must be listed
 * together with these.
 */
export const PROVED_REFUSALS = [
  "proof_needed",
  "wrong_credentials",
  "second_factor_needed",
  "wrong_code",
  "second_factor_state",
  "too_many_attempts",
] as const satisfies ErrorCode[];

/** Describes the possible refusals of a route: one entry for each status among `codes`. */
export function refusals(...codes: ErrorCode[]) {
  const byStatus: Record<string, ReturnType<typeof jsonAnswer<typeof errorBodySchema>>> = {};
  for (const status of new Set(codes.map((code) => ERROR_STATUS[code]))) {
    const own = codes.filter((code) => ERROR_STATUS[code] === status);
    byStatus[status] = jsonAnswer(errorBodySchema, own.join(", "));
  }
  return byStatus;
}

/** The possible refusals of every call of administrators alone. */
export const adminRefusals = refusals("invalid_input", "not_logged_in", "not_allowed");
/** The same for a call about one thing by its id. */
export const adminRefusalsOfOne = refusals("invalid_input", "not_logged_in", "not_allowed", "not_found");
