/** Pieces of a route's description: its JSON answer, the JSON it takes, and the refusals it shares with others. */
import type { z } from "@hono/zod-openapi";
import { ERROR_STATUS, errorBodySchema, type ErrorCode } from "shared/error_code.ts";

/** An answer that carries `schema` as JSON. */
export function jsonAnswer<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** A required JSON body of `schema`. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { "application/json": { schema } } };
}

/** Describes the refusals a route may give, one entry for each status among `codes`. */
export function refusals(...codes: ErrorCode[]) {
  const byStatus: Record<string, ReturnType<typeof jsonAnswer<typeof errorBodySchema>>> = {};
  for (const status of new Set(codes.map((code) => ERROR_STATUS[code]))) {
    const own = codes.filter((code) => ERROR_STATUS[code] === status);
    byStatus[status] = jsonAnswer(errorBodySchema, own.join(", "));
  }
  return byStatus;
}
