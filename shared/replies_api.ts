/**
 * Replies that ask for removal or may ask for it: GET /api/replies, POST /api/replies/decide. Clients see their
 * own replies.
 */
import { z } from "zod";
import { exceptionReasonSchema } from "./privacy.ts";

/**
 * waiting = a person has to decide; removed = the number gets no further messages of this client; kept = it did
 * not ask for removal.
 */
export const REPLY_STATES = ["waiting", "removed", "kept"] as const;
const replyStateSchema = z.enum(REPLY_STATES);

const replySchema = z.object({
  id: z.int(),
  /** Masked for administrators. */
  phone: z.string(),
  /** The beginning of the reply, without numbers. */
  excerpt: z.string(),
  /** Time of arrival, by the phone's clock. */
  at: z.int(),
  state: replyStateSchema,
  campaignId: z.int(),
  /** Null means that a restore lost the campaign. */
  campaignName: z.string().nullable(),
  /** The client's username; null means unknown after a restore, so that a removal is for all clients. */
  client: z.string().nullable(),
  /** Null means not decided by a person, or decided by keyword. */
  decidedAt: z.int().nullable(),
});
export type Reply = z.infer<typeof replySchema>;

export const replyQuerySchema = z.object({
  state: replyStateSchema.default("waiting"),
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
/** Newest first. */
export const replyPageSchema = z.object({ items: z.array(replySchema), nextCursor: z.int().nullable() });
export type ReplyPage = z.infer<typeof replyPageSchema>;

export const decideRepliesRequestSchema = z.object({
  ids: z.array(z.int()).min(1).max(500),
  as: z.enum(["remove", "keep"]),
});
/** Replies that were decided before, or belong to another client, are skipped. */
export const repliesDecidedSchema = z.object({ decided: z.int() });

// Recipients who asked for removal and changed their mind: POST /api/admin/opt-outs/search {q}, DELETE
// /api/admin/opt-outs/{id} → 204

const optOutSchema = z.object({
  id: z.int(),
  /** Masked. */
  phone: z.string(),
  client: z.object({ id: z.int(), username: z.string() }),
  at: z.int(),
});
export type OptOut = z.infer<typeof optOutSchema>;
/** `q`: a whole number, in any notation. */
export const optOutQuerySchema = z.object({ q: z.string().trim().min(1).max(40) });
/** One item for each client whose message the recipient refused. */
export const optOutsSchema = z.object({ items: z.array(optOutSchema) });
export const undoOptOutRequestSchema = z.object({ reason: exceptionReasonSchema });
