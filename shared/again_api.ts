/** Writing again to recipients of a campaign: /api/campaigns/{id}/write-again. */
import { z } from "zod";
import { type DeliveryReason, deliveryReasonSchema, type DeliveryState } from "./delivery.ts";

/** States whose recipients can be written to again; unknown ones may have the message. */
export const AGAIN_STATES = ["failed", "cancelled", "skipped", "unknown"] as const satisfies DeliveryState[];
/** People who asked for removal, or have the message, are never written to again. */
const NEVER: readonly (DeliveryReason | null)[] = ["opted_out", "reached_meanwhile"];

/** Recipients of one state and reason. */
export const recipientGroupSchema = z.object({
  state: z.enum(AGAIN_STATES),
  reason: deliveryReasonSchema.nullable(),
});
export type RecipientGroup = z.infer<typeof recipientGroupSchema>;

/** Returns whether recipients of a state and reason can be written to again at all. */
export function canBeWrittenAgain({ state, reason }: {
  state: DeliveryState;
  reason: DeliveryReason | null;
}): boolean {
  return AGAIN_STATES.some((one) => one === state) && !NEVER.includes(reason);
}

export const writeAgainRequestSchema = z.object({
  groups: z.array(recipientGroupSchema).min(1).max(200),
  /** Required for unknown recipients: a person says that some may get the message twice. */
  confirmsUnknown: z.boolean().default(false),
});
export const recipientGroupsSchema = z.object({
  groups: z.array(recipientGroupSchema.extend({ count: z.int() })),
});
export type RecipientGroups = z.infer<typeof recipientGroupsSchema>;
