/** Makes files outlive a power failure. */

/** Flushes a file from the system's memory to the disk. */
export async function syncFile(path: string): Promise<void> {
  using file = await Deno.open(path, { read: true, write: true });
  await file.sync();
}

/** Flushes the names in a folder to the disk: before that, a power failure undoes a rename. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and stores names by itself.
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path, { read: true });
  await folder.sync();
}
