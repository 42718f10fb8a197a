/** Schemas of the calls about approvals: POST /api/campaigns/{id}/approval, GET and POST under /api/admin. */
import { z } from "zod";
import { APPROVAL_STATES, campaignKindSchema } from "./campaign.ts";

export const MAX_APPROVAL_REASON_CHARS = 300;

/** The approval of a campaign whose client's day passes the setting `approvalFrom`. */
export const approvalSchema = z.object({
  /** needed = an administrator was not asked yet; a plan asks by itself. */
  state: z.enum(["needed", ...APPROVAL_STATES]),
  /** Recipients of the client's day with this campaign, and from how many an approval is needed. */
  total: z.int(),
  from: z.int(),
  /** True = an earlier state of the campaign was decided about, and it has changed since. */
  hasChanged: z.boolean(),
  /** The administrator's reason. */
  reason: z.string().nullable(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** A campaign that waits for an administrator's decision. */
export const waitingApprovalSchema = z.object({
  campaign: z.object({ id: z.int(), name: z.string() }),
  client: z.object({ id: z.int(), username: z.string() }),
  /** What the decision is about: a campaign that changes afterwards has another. */
  revision: z.int(),
  kind: campaignKindSchema,
  /** As it would be sent; fields stand as {{name}}. */
  text: z.string(),
  imageUrl: z.string().nullable(),
  recipients: z.int(),
  total: z.int(),
  from: z.int(),
  /** When it starts, ms; null = its client sends it by hand. */
  plannedAt: z.int().nullable(),
  /** The repeat that made it. */
  series: z.string().nullable(),
  askedAt: z.int(),
});
export type WaitingApproval = z.infer<typeof waitingApprovalSchema>;
/** The oldest; `count` is of all. */
export const waitingApprovalsSchema = z.object({ count: z.int(), items: z.array(waitingApprovalSchema) });
export type WaitingApprovals = z.infer<typeof waitingApprovalsSchema>;

/** `revision`: what the administrator has seen. A refusal needs a reason, which the client reads. */
export const decideApprovalRequestSchema = z.object({
  revision: z.int().min(0),
  decision: z.enum(["approved", "refused"]),
  reason: z.string().trim().max(MAX_APPROVAL_REASON_CHARS).default(""),
}).refine(({ decision, reason }) => decision === "approved" || reason !== "", { path: ["reason"] });
export type DecideApprovalRequest = z.infer<typeof decideApprovalRequestSchema>;
