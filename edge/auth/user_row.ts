/** Turns a row of `users` into the user for the interface, never with the hash. */
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
/** The fields that toUser() reads. */
export const USER_FIELDS = {
  id: users.id,
  username: users.username,
  role: users.role,
  messageQuota: users.messageQuota,
  disabled: users.disabled,
  firstPasswordUntil: users.firstPasswordUntil,
  secondFactor: conditionSql(HAS_FACTOR),
  lacksSecondFactor: conditionSql(LACKS_FACTOR),
  createdAt: users.createdAt,
};

type UserFields = Omit<User, "firstPassword"> & Pick<typeof users.$inferSelect, "firstPasswordUntil">;

/** Turns a row of USER_FIELDS into a User; further fields are left out. */
export function toUser(row: UserFields): User {
  const { id, username, role, messageQuota, disabled, secondFactor, lacksSecondFactor, createdAt } = row;
  const firstPassword = row.firstPasswordUntil !== null;
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
  };
}
