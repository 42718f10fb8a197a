/** The closed set of error codes in HTTP responses, each with its status. */
import { z } from "zod";

/** Code → HTTP status (RFC 9110). 422 is not used: a body that does not fit its schema gets 400. */
export const ERROR_STATUS = {
  invalid_input: 400,
  no_valid_contacts: 400,
  file_infected: 400,
  quota_needs_client: 400,
  not_logged_in: 401,
  wrong_credentials: 401,
  second_factor_needed: 401,
  wrong_code: 401,
  agent_not_authorized: 401,
  quota_short: 402,
  not_allowed: 403,
  second_factor_required: 403,
  new_password_required: 403,
  first_password_over: 403,
  proof_needed: 403,
  foreign_origin: 403,
  not_found: 404,
  campaign_not_ready: 409,
  campaign_not_editable: 409,
  campaign_state: 409,
  unknown_unconfirmed: 409,
  pilot_needed: 409,
  send_began: 409,
  words_changed: 409,
  advertiser_missing: 409,
  placeholder_faulty: 409,
  field_unknown: 409,
  values_missing: 409,
  text_too_long: 409,
  advertising_keeps_hours: 409,
  kind_needs_no_contacts: 409,
  reason_not_confirmed: 409,
  reached_in_lost_time: 409,
  import_running: 409,
  contacts_full: 409,
  quota_changed: 409,
  quota_below_zero: 409,
  username_taken: 409,
  second_factor_state: 409,
  join_token_invalid: 409,
  look_over: 409,
  phone_away: 409,
  site_elsewhere: 409,
  agent_too_old: 409,
  no_still: 409,
  removal_link_over: 410,
  body_too_large: 413,
  unsupported_media: 415,
  upgrade_required: 426,
  too_many_attempts: 429,
  internal: 500,
  not_ready: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
const errorCodeSchema = z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]);

/** Body of every error response: a Hebrew sentence for people, a code for programs. */
export const errorBodySchema = z.object({ error: z.string(), code: errorCodeSchema });
export type ErrorBody = z.infer<typeof errorBodySchema>;
