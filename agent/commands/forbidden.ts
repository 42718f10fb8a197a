import { ExitError } from "../exit_error.ts";

/**
 * Runs an act that reads or writes a site's folder.
 *
 * @throws {ExitError} when this user has no permission: the folder belongs to the service
 */
export async function orForbidden<T>(agentDir: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new ExitError("config", `Cannot use "${agentDir}": run this as its owner, for example with sudo`);
  }
}
