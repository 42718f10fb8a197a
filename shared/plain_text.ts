/** A schema for one typed line: a name, a label, a source. */
import { z } from "zod";

/**
 * A trimmed text without control, invisible or unassigned characters (Unicode category C). A refinement, not a
 * pattern: a pattern would appear in the API document, and many generators do not know `\p{C}`.
 */
export const plainText = z.string().trim().refine((text) => !/\p{C}/u.test(text), {
  message: "Holds a control or invisible character",
});
