/** Whose sends wait for an administrator, as SQL: clients whose day passes the setting `approvalFrom`. */
import { settingSql } from "../settings/setting_sql.ts";

/** SQL: from how many recipients a day sends need an approval; 0 = never. */
export const APPROVAL_FROM = settingSql("approvalFrom");

/** What a sum of a client's day needs, each as SQL. */
export interface DaySum {
  campaign: string;
  client: string;
  /** How many recipients the campaign has. */
  own: string;
  /** The day in Israel, yyyymmdd. */
  day: string;
  /** The moment of the press, ms: later ones do not count. */
  pressedAt: string;
}

/** Returns SQL: the recipients of a client's day with this campaign. A spread campaign counts whole on its first day. */
export function dayTotal({ campaign, client, own, day, pressedAt }: DaySum): string {
  return `(${own} + coalesce((SELECT sum(o.reserved) FROM campaigns o
    WHERE o.client = ${client} AND o.send_day = ${day} AND o.id <> ${campaign} AND o.test_of IS NULL
      AND (o.send_at IS NOT NULL OR o.status = 'scheduled') AND o.pressed_at <= ${pressedAt}), 0))`;
}

/** Returns SQL: a campaign, which is no test, has to be approved. An administrator's own needs nobody else. */
export function exceedsDay(sum: DaySum): string {
  return `(${APPROVAL_FROM} > 0 AND EXISTS (SELECT 1 FROM users w WHERE w.id = ${sum.client} AND w.role = 'client')
    AND ${dayTotal(sum)} > ${APPROVAL_FROM})`;
}

/** Returns the sum of a planned campaign, of the table or alias `c`. */
export function planSum(c: string): DaySum {
  return {
    campaign: `${c}.id`,
    client: `${c}.client`,
    own: `${c}.reserved`,
    day: `${c}.send_day`,
    pressedAt: `${c}.pressed_at`,
  };
}

/** Returns SQL: the present revision of a campaign, of the table or alias `c`, is approved. */
export function isApproved(c: string): string {
  return `EXISTS (SELECT 1 FROM approvals a
    WHERE a.campaign = ${c}.id AND a.revision = ${c}.revision AND a.state = 'approved')`;
}

/** Returns SQL: a planned campaign may not start, because it is not approved. */
export function lacksApproval(c: string): string {
  return `(${c}.test_of IS NULL AND ${exceedsDay(planSum(c))} AND NOT ${isApproved(c)})`;
}
