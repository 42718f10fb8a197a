import { weaknessOf } from "../auth/new_password.ts";
import { ConfigError } from "../config.ts";

/**
 * Refuses an ADMIN_PASSWORD that is guessed first, where it is about to become somebody's: an installed edge starts with
 * whatever stands in its environment. Undefined = a random one.
 *
 * @throws ConfigError
 */
export function checkGivenPassword(username: string, password: string | undefined): void {
  if (password === undefined || weaknessOf(username, password) === null) return;
  throw new ConfigError(
    "ADMIN_PASSWORD must be none of the commonest passwords, and neither its user's name nor the product's.",
  );
}
