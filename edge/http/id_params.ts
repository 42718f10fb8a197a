/** The `{id}` of a path. */
import { z } from "zod";

/** A positive whole number, or `invalid_input`. */
export const idParams = z.object({ id: z.string().regex(/^[1-9]\d{0,14}$/).transform(Number) });
