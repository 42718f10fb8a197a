/** A row of a campaign's list, as the model reads it from the database after each commit. */
import type { DeliveryState, MovedBy } from "shared/delivery.ts";

export interface Row {
  id: number;
  campaign: number;
  /** The real number, also after an erasure, when the database has an alias. */
  phone: number;
  /** The number in the database. */
  alias: number;
  state: DeliveryState;
  by: MovedBy;
  reason: string | null;
  token: string | null;
  site: number | null;
  account: number | null;
  leased_at: number | null;
  leased_day: number | null;
  attempt: number;
  acked_at: number | null;
  resent: number;
  /** The sender that it is left for, until `not_before`. */
  awaits: number | null;
  not_before: number;
  /** The first delivery to the person for the same message. */
  origin: number | null;
  /** The text that the recipient gets, of a campaign with several. */
  variant: number | null;
}

/** SQL: the fields of a row but its phone, for json_object(). */
export const ROW_FIELDS = [
  "'id', id, 'campaign', campaign, 'alias', phone, 'state', state, 'by', by, 'reason', reason, 'token', token",
  "'site', site, 'account', account, 'attempt', attempt, 'acked_at', acked_at",
  "'leased_at', leased_at, 'leased_day', leased_day, 'resent', resent, 'awaits', awaits, 'not_before', not_before",
  "'origin', origin, 'variant', variant",
].join(", ");

/** Returns the row's name in messages. */
export function nameOf({ campaign, phone }: Pick<Row, "campaign" | "phone">): string {
  return `${campaign} +${phone}`;
}
