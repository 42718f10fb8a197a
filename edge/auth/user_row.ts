/** Turns a row of `users` into the user for the interface, never with the hash. */
import { sql } from "drizzle-orm";
import type { User } from "shared/http_api.ts";
import { conditionSql } from "../db/query.ts";
import { users } from "../db/schema.ts";

/** SQL on `users`: a login requires a code. */
export const HAS_FACTOR =
  "EXISTS (SELECT 1 FROM second_factors f WHERE f.user = users.id AND f.confirmed_at IS NOT NULL)";
/** SQL on `users`: an administrator without a second factor. */
export const ADMIN_WITHOUT_FACTOR = `(role = 'admin' AND NOT ${HAS_FACTOR})`;
/** The same, only while the settings require one of administrators. */
export const LACKS_FACTOR = `(${ADMIN_WITHOUT_FACTOR}
  AND EXISTS (SELECT 1 FROM settings WHERE key = 'adminsNeedSecondFactor' AND value = 'true'))`;
/** SQL on `users`: the account that the person works for is disabled. */
export const ACCOUNT_DISABLED = "EXISTS (SELECT 1 FROM users o WHERE o.id = users.works_for AND o.disabled)";
/** SQL on `users`: the person may open and keep sessions, as far as the row says. */
export const MAY_LOG_IN = `(disabled = 0 AND waits = 0 AND NOT ${ACCOUNT_DISABLED})`;
/** SQL on `users`: the balance of the account that the person works for. */
const QUOTA = sql<number>`coalesce(
  (SELECT o.message_quota FROM users o WHERE o.id = users.works_for), users.message_quota)`;
const CLIENT_NAME = sql<string | null>`(SELECT o.username FROM users o WHERE o.id = users.works_for)`;
/** The fields that toUser() reads. */
export const USER_FIELDS = {
  id: users.id,
  username: users.username,
  role: users.role,
  messageQuota: QUOTA,
  disabled: users.disabled,
  firstPasswordUntil: users.firstPasswordUntil,
  secondFactor: conditionSql(HAS_FACTOR),
  lacksSecondFactor: conditionSql(LACKS_FACTOR),
  createdAt: users.createdAt,
  client: users.worksFor,
  clientName: CLIENT_NAME,
  duty: users.duty,
  waits: users.waits,
};

type UserFields =
  & Omit<User, "firstPassword" | "colleague">
  & Pick<typeof users.$inferSelect, "firstPasswordUntil" | "duty" | "waits">
  & { client: number | null; clientName: string | null };

/** Turns a row of USER_FIELDS into a User; further fields are left out. */
export function toUser(row: UserFields): User {
  const { id, username, role, messageQuota, disabled, secondFactor, lacksSecondFactor, createdAt } = row;
  const firstPassword = row.firstPasswordUntil !== null;
  const { client, clientName, duty, waits } = row;
  return {
    id,
    username,
    role,
    messageQuota,
    disabled,
    secondFactor,
    lacksSecondFactor,
    firstPassword,
    createdAt,
    ...(client !== null && duty !== "owner" &&
      { colleague: { client, clientName: clientName ?? "", duty, waits } }),
  };
}

/** Returns whether the user is a client with a quota of their own. */
export function hasQuota({ role, colleague }: Pick<User, "role" | "colleague">): boolean {
  return role === "client" && colleague === undefined;
}
