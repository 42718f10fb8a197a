/** Turns a row of `users` into the user for the interface, never with the hash. */
import type { Row } from "@libsql/client/web";
import type { Role, User } from "shared/http_api.ts";

/** SQL on `users`: a login requires a code. */
export const HAS_FACTOR =
  "EXISTS (SELECT 1 FROM second_factors f WHERE f.user = users.id AND f.confirmed_at IS NOT NULL)";
/** SQL on `users`: an administrator without a second factor. */
export const ADMIN_WITHOUT_FACTOR = `(role = 'admin' AND NOT ${HAS_FACTOR})`;
/** The same, only while the settings require one of administrators. */
export const LACKS_FACTOR = `(${ADMIN_WITHOUT_FACTOR}
  AND EXISTS (SELECT 1 FROM settings WHERE key = 'adminsNeedSecondFactor' AND value = 'true'))`;
/** Columns that `toUser` reads. */
export const USER_COLUMNS = `id, username, role, message_quota, disabled, created_at,
  first_password_until, ${HAS_FACTOR} AS second_factor, ${LACKS_FACTOR} AS lacks_factor`;

/** Turns a row of USER_COLUMNS into a User. */
export function toUser(row: Row): User {
  return {
    id: Number(row.id),
    username: String(row.username),
    role: row.role as Role,
    messageQuota: Number(row.message_quota),
    disabled: row.disabled === 1,
    secondFactor: row.second_factor === 1,
    lacksSecondFactor: row.lacks_factor === 1,
    firstPassword: row.first_password_until !== null,
    createdAt: Number(row.created_at),
  };
}
