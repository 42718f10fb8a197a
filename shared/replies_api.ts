/** Replies that ask to be removed, or may: GET /api/replies, POST /api/replies/decide. A client has its own. */
import { z } from "zod";
import { exceptionReasonSchema } from "./privacy.ts";

/** waiting = a person is to decide; removed = the number gets no more of this client; kept = it did not ask for that. */
export const REPLY_STATES = ["waiting", "removed", "kept"] as const;
export const replyStateSchema = z.enum(REPLY_STATES);

export const replySchema = z.object({
  id: z.int(),
  /** Masked for administrators. */
  phone: z.string(),
  /** The beginning of what was written, without numbers. */
  excerpt: z.string(),
  /** When it came, by the phone's clock. */
  at: z.int(),
  state: replyStateSchema,
  campaignId: z.int(),
  campaignName: z.string(),
  /** The client's username. */
  client: z.string(),
  /** Null = nobody yet, or it was all a keyword. */
  decidedAt: z.int().nullable(),
});
export type Reply = z.infer<typeof replySchema>;

export const replyQuerySchema = z.object({
  state: replyStateSchema.default("waiting"),
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
/** The newest first. */
export const replyPageSchema = z.object({ items: z.array(replySchema), nextCursor: z.int().nullable() });
export type ReplyPage = z.infer<typeof replyPageSchema>;

export const decideRepliesRequestSchema = z.object({
  ids: z.array(z.int()).min(1).max(500),
  as: z.enum(["remove", "keep"]),
});
/** Those decided before, or another client's, are passed over. */
export const repliesDecidedSchema = z.object({ decided: z.int() });

// Who asked to be removed and changed their mind: POST /api/admin/opt-outs/search {q}, DELETE /api/admin/opt-outs/{id} → 204

export const optOutSchema = z.object({
  id: z.int(),
  /** Masked. */
  phone: z.string(),
  client: z.object({ id: z.int(), username: z.string() }),
  at: z.int(),
});
export type OptOut = z.infer<typeof optOutSchema>;
/** `q`: a whole number, as people write it. */
export const optOutQuerySchema = z.object({ q: z.string().trim().min(1).max(40) });
/** One for each client whose message was answered. */
export const optOutsSchema = z.object({ items: z.array(optOutSchema) });
export const undoOptOutRequestSchema = z.object({ reason: exceptionReasonSchema });
