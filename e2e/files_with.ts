/** Searches the files of the running product for what must not be in them. */
import { Buffer } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The phones' own data, which our erasure cannot reach. */
const PHONES_OWN = "simulator";

/** Returns files below `folder` that contain one of the spellings. */
export async function filesWith(folder: string, spellings: readonly (string | Buffer)[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes(`/${PHONES_OWN}/`)) continue;
    const bytes = await readFile(path).catch(whenGone);
    // The file was renamed and may have been skipped under its new name: search again.
    if (bytes === null) return await filesWith(folder, spellings);
    if (spellings.some((spelling) => bytes.includes(spelling))) found.push(path.slice(folder.length + 1));
  }
  return found.sort();
}

/** Returns a number as files have it: as text in UTF-8 and UTF-16, as an SQLite integer, and as a double. */
export function spellingsOf(phone: number): Buffer[] {
  const asInteger = Buffer.alloc(6);
  asInteger.writeUIntBE(phone, 0, 6);
  const asDouble = Buffer.alloc(8);
  asDouble.writeDoubleBE(phone);
  const texts = [`${phone}`, `0${phone % 1e9}`].flatMap((text) => {
    const littleEndian = Buffer.from(text, "utf16le");
    return [Buffer.from(text), littleEndian, Buffer.from(littleEndian).swap16()];
  });
  return [...texts, asInteger, asDouble];
}

/** Returns null for a file that was moved to its final name during the reads. */
function whenGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
