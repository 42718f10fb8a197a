/** Puts a campaign's image into a folder that the app can read, once per phone and image. */
import type { AppAccount, Phone } from "./phone.ts";

/** Path of the image placed last, by phone and Android user. Earlier images are deleted. */
export type PlacedImages = Map<string, string>;

/** Returns the path of an image with this hash on the phone. Each Android user has its own storage. */
export function imagePathOn(account: AppAccount, sha256: string): string {
  const storage = account.user === 0 ? "/sdcard" : `/storage/emulated/${account.user}`;
  return `${storage}/Download/shigur-${sha256}.jpg`;
}

/**
 * Places the image and returns its path.
 *
 * @throws {AdbError} when the phone cannot be reached or refuses the file
 * @throws {Error} when the phone took the file and does not have it
 */
export async function placeImage(
  phone: Phone,
  account: AppAccount,
  image: { sha256: string; bytes: Uint8Array },
  placed: PlacedImages,
): Promise<string> {
  const slot = `${phone.device}/${account.user}`;
  const path = imagePathOn(account, image.sha256);
  const before = placed.get(slot);
  if (before === path && await isThere(phone, path, image.bytes)) return path;
  placed.delete(slot);
  // Delete all images: an earlier process may have left more than the last one.
  await phone.run(`rm -f ${imagePathOn(account, "*")}`);
  await phone.push(image.bytes, path);
  if (!await isThere(phone, path, image.bytes)) {
    throw new Error("Cannot place image: the phone acknowledged it and does not have it");
  }
  placed.set(slot, path);
  return path;
}

/** A push proves little: phones clean up, and acknowledge files that they do not keep. */
async function isThere(phone: Phone, path: string, bytes: Uint8Array): Promise<boolean> {
  return (await phone.run(`stat -c %s ${path} || true`)).trim() === `${bytes.length}`;
}
