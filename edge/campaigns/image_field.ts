/** The image in a multipart body: the same for a new campaign and for one that exists. */
import { MAX_IMAGE_BYTES } from "shared/campaign.ts";
import { requireSession } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { scanUpload } from "../virus_scan/scan_upload.ts";
import { type CheckedImage, checkImage, tryPixels } from "./image.ts";

/** An image over its limit is still read, to be refused by its own sentence. */
export const MAX_BODY_BYTES = 2 * MAX_IMAGE_BYTES;

/**
 * The field `image`, scanned, checked and cleaned; null when there is none. Browsers send a file field nobody filled as an
 * empty file without a name.
 *
 * @throws {HttpError} `invalid_input` when it is no file, `not_logged_in` when the session ended while the form came in, and
 * as scanUpload(), checkImage() and tryPixels()
 */
export async function readImageField(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id" | "sessionHash">,
  form: FormData,
): Promise<CheckedImage | null> {
  await requireSession(ctx, user);
  const file = form.get("image");
  if (file === null || (file instanceof File && file.size === 0 && file.name === "")) return null;
  if (!(file instanceof File)) throw new HttpError("invalid_input", { detail: "image is not a file" });
  const bytes = new Uint8Array(await file.arrayBuffer());
  await scanUpload(ctx, user, { name: file.name, bytes });
  // Cleaning 5 MB, hashing them and writing them take some 20 ms each: a turn between two of them.
  await turnLoop();
  const image = checkImage(bytes, file.name);
  await turnLoop();
  return await tryPixels(image, file.name);
}
