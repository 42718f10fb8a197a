import { weaknessOf } from "../auth/new_password.ts";
import { ConfigError } from "../config.ts";

/**
 * Refuses a common ADMIN_PASSWORD when it is about to become a user's. An edge that already has users starts with any
 * value of it. Undefined = a random one.
 *
 * @throws ConfigError
 */
export function checkGivenPassword(username: string, password: string | undefined): void {
  if (password === undefined || weaknessOf(username, password) === null) return;
  throw new ConfigError(
    "ADMIN_PASSWORD must be none of the commonest passwords, and neither its user's name nor the product's.",
  );
}
