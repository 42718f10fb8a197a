/** Pieces of a route's description: its JSON answer, the JSON it takes, and the refusals it shares with others. */
import type { z } from "@hono/zod-openapi";
import { ERROR_STATUS, errorBodySchema, type ErrorCode } from "shared/error_code.ts";

/** An answer that carries `schema` as JSON. */
export function jsonAnswer<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** A file for a spreadsheet. */
export const csvAnswer = {
  description: "CSV, UTF-8 with a byte order mark",
  content: { "text/csv": { schema: { type: "string" as const } } },
};

/** The `security` of a route that takes no session: its caller has none yet. */
export const OPEN: Record<string, string[]>[] = [];

/** A required JSON body of `schema`. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { "application/json": { schema } } };
}

/** What a call that needs a proof may be refused with; its own refusals of the same statuses belong beside them. */
export const PROVED_REFUSALS = [
  "proof_needed",
  "wrong_credentials",
  "second_factor_needed",
  "wrong_code",
  "second_factor_state",
  "too_many_attempts",
] as const satisfies ErrorCode[];

/** Describes the refusals a route may give, one entry for each status among `codes`. */
export function refusals(...codes: ErrorCode[]) {
  const byStatus: Record<string, ReturnType<typeof jsonAnswer<typeof errorBodySchema>>> = {};
  for (const status of new Set(codes.map((code) => ERROR_STATUS[code]))) {
    const own = codes.filter((code) => ERROR_STATUS[code] === status);
    byStatus[status] = jsonAnswer(errorBodySchema, own.join(", "));
  }
  return byStatus;
}
