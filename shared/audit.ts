/**
 * Actions in the audit log, and the schemas of its calls: GET /api/admin/audit, GET /api/admin/audit.csv, POST
 * /api/admin/audit/check.
 */
import { z } from "zod";

/** All audited actions, grouped by subject; a closed set. Their Hebrew words are in edge/text/audit_words.ts. */
export const AUDIT_GROUPS = {
  logins: [
    "login",
    "login_failed",
    "login_locked",
    "logout",
    "sessions_ended",
    "password_changed",
    "password_refused",
    "second_factor_on",
    "second_factor_off",
    "recovery_codes_made",
    "recovery_code_used",
    "code_refused",
  ],
  users: [
    "user_created",
    "user_disabled",
    "user_enabled",
    "password_reset",
    "second_factor_removed",
    "quota_changed",
    "quota_corrected",
  ],
  campaigns: [
    "campaign_undeclared",
    "campaign_kind_changed",
    "campaign_sent",
    "campaign_taken_back",
    "campaign_written_again",
    "campaign_text_chosen",
    "campaign_paused",
    "campaign_resumed",
    "campaign_cancelled",
    "queues_cleared",
    "deliveries_resolved",
    "test_sent",
    "hours_waived",
    "hours_restored",
    "file_imported",
    "file_refused",
    "file_infected",
  ],
  fleet: [
    "site_created",
    "site_token",
    "site_revoked",
    "site_started",
    "site_written_off",
    "rehearsals_asked",
    "rehearsals_not_asked",
    "device_command",
    "account_rested",
    "unconfirmed_rested",
    "account_released",
    "account_edited",
  ],
  system: [
    "settings_changed",
    "database_restored",
    "alert_acknowledged",
    "alert_snoozed",
    "alert_unquieted",
    "alert_choices_changed",
    "alert_tested",
  ],
  privacy: [
    "suppressions_added",
    "suppressions_removed",
    "opted_out",
    "opt_out_undone",
    "replies_kept",
    "numbers_shown",
    "screen_looked",
    "screen_look_ended",
    "number_erased",
    "site_erased",
    "numbers_forgotten",
    "list_shown",
    "contacts_forgotten",
    "exported",
    "advertiser_changed",
    "consent_declared",
    "consents_forgotten",
  ],
} as const;
export type AuditGroup = keyof typeof AUDIT_GROUPS;
export type AuditKind = (typeof AUDIT_GROUPS)[AuditGroup][number];
export const AUDIT_KINDS: readonly AuditKind[] = Object.values(AUDIT_GROUPS).flat();

/**
 * Fault at the first bad row of the chain: edited = changed after sealing, or out of place; missing = removed;
 * forged = sealed without the key; cut = the end is missing; head_forged = the head itself is forged.
 */
const AUDIT_FAULTS = ["edited", "missing", "forged", "cut", "head_forged"] as const;
export const auditFaultSchema = z.object({ row: z.int(), fault: z.enum(AUDIT_FAULTS) });
export type AuditFault = z.infer<typeof auditFaultSchema>;

/** Result of the last check of the whole chain. */
export const auditChainSchema = z.object({
  /** Null means never checked. */
  checkedAt: z.int().nullable(),
  /** Number of valid rows. */
  rows: z.int(),
  /** Null means no fault. */
  fault: auditFaultSchema.nullable(),
  /** Rows without a seal yet, and the time of the oldest. */
  open: z.int(),
  openSince: z.int().nullable(),
});
export type AuditChain = z.infer<typeof auditChainSchema>;

const auditRowSchema = z.object({
  id: z.int(),
  at: z.int(),
  kind: z.string(),
  /** A finished Hebrew sentence. */
  text: z.string(),
  /** Null means that no logged-in user acted. */
  actorId: z.int().nullable(),
  actorName: z.string().nullable(),
  campaignId: z.int().nullable(),
  deviceId: z.int().nullable(),
  /** SHA-256, hexadecimal; null means not sealed yet. */
  hash: z.string().nullable(),
});
export type AuditRow = z.infer<typeof auditRowSchema>;

const auditFilter = z.object({
  group: z.enum(Object.keys(AUDIT_GROUPS) as [AuditGroup, ...AuditGroup[]]).optional(),
  kind: z.enum(AUDIT_KINDS as [AuditKind, ...AuditKind[]]).optional(),
  /** A user's id. */
  actor: z.coerce.number().int().positive().optional(),
  /** Milliseconds; rows with from ≤ at < to. */
  from: z.coerce.number().int().min(0).optional(),
  to: z.coerce.number().int().min(0).optional(),
});
export const auditCsvQuerySchema = auditFilter;
export const auditQuerySchema = auditFilter.extend({
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type AuditFilter = z.infer<typeof auditFilter>;
export const auditPageSchema = z.object({
  items: z.array(auditRowSchema),
  nextCursor: z.int().nullable(),
  chain: auditChainSchema,
});
export type AuditPage = z.infer<typeof auditPageSchema>;
