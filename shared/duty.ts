/** What a person may do in their client's account, and bounds of such people. The browser imports it: no schemas. */

/**
 * From the least to the most; each may do what those before it may. A reader sees everything, a writer prepares
 * campaigns, a sender sends and stops them, the owner also keeps the account's details and its people.
 */
export const DUTIES = ["reader", "writer", "sender", "owner"] as const;
export type Duty = (typeof DUTIES)[number];

/** The duties that an owner may give; an account has one owner. */
export const GIVEN_DUTIES = ["reader", "writer", "sender"] as const satisfies readonly Duty[];
export type GivenDuty = (typeof GIVEN_DUTIES)[number];

/** Most people of a client beside its owner, with open invitations. */
export const MAX_PEOPLE = 20;
/** Most characters of the owner's word for an invited person. */
export const MAX_LABEL_CHARS = 60;

/** Returns whether `duty` includes what `least` may do. */
export function mayDo(duty: Duty, least: Duty): boolean {
  return DUTIES.indexOf(duty) >= DUTIES.indexOf(least);
}
