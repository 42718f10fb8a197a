/** A row of `users` → the user the interface shows; never with the hash. */
import type { Row } from "@libsql/client/web";
import type { Role, User } from "shared/http_api.ts";

/** Columns that `toUser` reads. */
export const USER_COLUMNS = "id, username, role, message_quota, disabled, created_at";

/** Turns a row of USER_COLUMNS into a User. */
export function toUser(row: Row): User {
  return {
    id: Number(row.id),
    username: String(row.username),
    role: row.role as Role,
    messageQuota: Number(row.message_quota),
    disabled: row.disabled === 1,
    createdAt: Number(row.created_at),
  };
}
