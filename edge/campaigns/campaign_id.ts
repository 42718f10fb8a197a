import { z } from "zod";

/** The path parameter of one campaign; what is no id names no campaign, so it ends as `not_found`. */
export const campaignIdParam = z.object({
  id: z.string().transform((text) => /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0),
});
