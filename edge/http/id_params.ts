/** Schema of the `{id}` in a path. */
import { z } from "zod";

/** Parses a positive whole number; anything else is `invalid_input`. */
export const idParams = z.object({ id: z.string().regex(/^[1-9]\d{0,14}$/).transform(Number) });

/** Schema of `{id}` and of the `{call}` in it. */
export const callParams = idParams.extend({ call: idParams.shape.id });
