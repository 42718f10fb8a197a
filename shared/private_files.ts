/**
 * Makes every later file of this process readable only by its own user, including files that a library makes (a
 * database with its journals). Call it first. Without the permission to read system settings it does nothing; a
 * process that only prints its help has none.
 */
export function keepFilesPrivate(): void {
  try {
    if (Deno.build.os !== "windows") Deno.umask(0o077);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
}
