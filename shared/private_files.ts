/**
 * Lets every file that this process makes from now on be read by its own user alone, also those that a library makes
 * (a database with its journals). Call it first. A process without the permission to read system settings, such as one
 * that only prints its help, goes on as it is.
 */
export function keepFilesPrivate(): void {
  try {
    if (Deno.build.os !== "windows") Deno.umask(0o077);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
}
