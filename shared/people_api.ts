/** Schemas of the calls about a client's people: GET /api/people, its acts, and the link of an invitation. */
import { z } from "zod";
import { DUTIES, MAX_LABEL_CHARS } from "./duty.ts";
import { givenDutySchema, newPasswordSchema, provedFields, usernameSchema } from "./http_api.ts";
import { plainText } from "./plain_text.ts";

export const personSchema = z.object({
  id: z.int(),
  username: z.string(),
  duty: z.enum(DUTIES),
  /** True after a restore, until the owner confirms the person. */
  waits: z.boolean(),
  /** True when an administrator disabled the person. */
  disabled: z.boolean(),
  secondFactor: z.boolean(),
  createdAt: z.int(),
  /** Last use of an open session; null means that none is open. */
  lastSeenAt: z.int().nullable(),
});
export type Person = z.infer<typeof personSchema>;

export const invitationSchema = z.object({
  id: z.int(),
  /** The owner's own word for the invited person. */
  label: z.string(),
  duty: givenDutySchema,
  createdAt: z.int(),
  expiresAt: z.int(),
});
export type Invitation = z.infer<typeof invitationSchema>;

export const peopleSchema = z.object({
  /** The owner first, then in the order of joining. */
  people: z.array(personSchema),
  /** Open ones, newest first. */
  invitations: z.array(invitationSchema),
});
export type People = z.infer<typeof peopleSchema>;

export const inviteRequestSchema = z.object({
  ...provedFields,
  label: plainText.min(1).max(MAX_LABEL_CHARS),
  duty: givenDutySchema,
});
export type InviteRequest = z.infer<typeof inviteRequestSchema>;
/** Shown once: the link is made of the token. */
export const invitedSchema = z.object({ invitation: invitationSchema, token: z.string() });
export type Invited = z.infer<typeof invitedSchema>;

export const changeDutyRequestSchema = z.object({ ...provedFields, duty: givenDutySchema });

const tokenSchema = z.string().regex(/^[\w-]{43}$/);
export const lookInvitationRequestSchema = z.object({ token: tokenSchema });
/** What an invited person reads before accepting. */
export const offeredSchema = z.object({
  clientName: z.string(),
  duty: givenDutySchema,
  expiresAt: z.int(),
});
export type Offered = z.infer<typeof offeredSchema>;
export const acceptInvitationRequestSchema = z.object({
  token: tokenSchema,
  username: usernameSchema,
  password: newPasswordSchema,
});
export type AcceptInvitation = z.infer<typeof acceptInvitationRequestSchema>;
