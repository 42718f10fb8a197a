/** The body of POST /api/campaigns/{id}/contacts/manual: megabytes of pasted text, and the declaration about it. */
import { z } from "zod";
import type { Consent } from "shared/consent.ts";
import { manualNumbersRequestSchema, MAX_PASTED_BYTES } from "shared/http_api.ts";
import { HttpError } from "../http/http_error.ts";
import { readLongText } from "../http/read_long_text.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";

/** For everything except the numbers: the declaration of consent, and the member names. */
const MAX_OTHER_BYTES = 64 * 1024;

export interface ManualBody {
  /** In UTF-8. */
  numbers: Uint8Array;
  consent: Consent | undefined;
}

/**
 * Reads the body as a stream.
 *
 * @throws {HttpError} `invalid_input`; and every error of the request's stream
 */
export async function readManualBody({ body, signal }: Request): Promise<ManualBody> {
  const { text, rest } = await readLongText(body, {
    member: "numbers",
    maxTextBytes: MAX_PASTED_BYTES,
    maxOtherBytes: MAX_OTHER_BYTES,
    yieldToEventLoop: createYieldToEventLoop({ left: signal }),
  });
  const parsed = manualNumbersRequestSchema.safeParse(
    text?.length ? { ...rest as object, numbers: "-" } : rest,
  );
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new HttpError("invalid_input", { detail: `${issue?.path.join(".")}: ${issue?.message}` });
  }
  const { numbers, consent } = parsed.data;
  return { numbers: text ?? new TextEncoder().encode(numbers), consent };
}

/** For the API description only: no validator may read the body before readManualBody(). */
export const manualBody = {
  required: true,
  content: { "application/json": { schema: described() } },
};

function described() {
  const { $schema: _, ...schema } = z.toJSONSchema(manualNumbersRequestSchema, { io: "input" });
  return schema as Record<string, unknown>;
}
