import type { GivenDuty } from "shared/duty.ts";
import type { People } from "shared/people_api.ts";
import { HAS_FACTOR } from "../auth/user_row.ts";
import type { EdgeContext } from "../context.ts";
import { condition, orNull, rowsAs } from "../db/query.ts";
import { invitations, sessions, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";

const PEOPLE = `SELECT id, username, duty, waits, disabled, created_at, ${HAS_FACTOR} AS "secondFactor",
    (SELECT max(last_seen_at) FROM sessions s WHERE s.user = users.id) AS last_seen_at
  FROM users WHERE (id = :client OR works_for = :client) AND role = 'client' AND left_at IS NULL
  ORDER BY works_for IS NOT NULL, id`;
const INVITATIONS = `SELECT id, label, duty, created_at, expires_at FROM invitations
  WHERE client = :client AND expires_at > :now ORDER BY id DESC`;

/**
 * Returns the people of a client's account and its open invitations.
 *
 * @throws HttpError not_found when the id is no client's with an account of its own
 */
export async function listPeople(ctx: EdgeContext, client: number): Promise<People> {
  const args = { client, now: ctx.now() };
  const { people, open } = await readBatch(ctx.db, {
    people: statement(PEOPLE, args),
    open: statement(INVITATIONS, args),
  });
  const { id, username, duty, waits, disabled, createdAt } = users;
  const found = rowsAs(people, {
    ...{ id, username, duty, waits, disabled, createdAt },
    secondFactor: condition,
    lastSeenAt: orNull(sessions.lastSeenAt),
  });
  if (found[0]?.id !== client || found[0].duty !== "owner") throw new HttpError("not_found");
  const { label, expiresAt } = invitations;
  const waiting = rowsAs(open, {
    ...{ id: invitations.id, label, duty: invitations.duty, createdAt: invitations.createdAt, expiresAt },
  });
  return {
    people: found,
    invitations: waiting.map((invitation) => ({ ...invitation, duty: invitation.duty as GivenDuty })),
  };
}
