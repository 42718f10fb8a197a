/**
 * Calls about seeing phones' screens: POST /api/admin/looks, POST /api/admin/looks/{id}/still, DELETE
 * /api/admin/looks/{id}.
 */
import { z } from "zod";
import { provedFields } from "./http_api.ts";
import { listOf } from "./list_schema.ts";
import { exceptionReasonSchema } from "./privacy.ts";
import { MAX_LOOK_DEVICES } from "./still.ts";

/** How long an administrator may see a screen after giving a reason. */
export const LOOK_MS = 5 * 60_000;

export const beginLooksRequestSchema = z.object({
  ...provedFields,
  /** Ids of the phones, each once. */
  devices: listOf(z.int().positive(), { min: 1, max: MAX_LOOK_DEVICES }).refine(
    (ids) => new Set(ids).size === ids.length,
    "names a phone twice",
  ),
  reason: exceptionReasonSchema,
});

/** One look for each phone, in the order of the request. */
export const looksSchema = z.object({
  looks: z.array(z.object({ id: z.int(), device: z.int() })),
  /** Milliseconds until which stills may be asked for. */
  until: z.int(),
});
export type Looks = z.infer<typeof looksSchema>;
