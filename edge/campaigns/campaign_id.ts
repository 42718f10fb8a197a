import { z } from "zod";

/** The path parameter of one campaign. A value that is not an id ends as `not_found`, like an id without a campaign. */
export const campaignIdParam = z.object({
  id: z.string().transform((text) => /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0),
});
