/** One line that people type and others read: a name, a label, a source. */
import { z } from "zod";

/**
 * A trimmed text without control, invisible or unassigned characters (Unicode category C). By a refinement: a pattern
 * would go into the document of the calls, where many generators know no `\p{C}`.
 */
export const plainText = z.string().trim().refine((text) => !/\p{C}/u.test(text), {
  message: "Holds a control or invisible character",
});
