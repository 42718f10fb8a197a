/** The image in a multipart body, for new and existing campaigns. */
import { MAX_IMAGE_BYTES } from "shared/campaign.ts";
import { requireSession } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { scanUpload } from "../virus_scan/scan_upload.ts";
import { type CheckedImage, checkImage, tryPixels } from "./image.ts";

/** Accepts an image over its limit, so that the refusal can name the image's limit. */
export const MAX_BODY_BYTES = 2 * MAX_IMAGE_BYTES;

/**
 * Returns the field `image`, scanned, checked and cleaned; null when there is none. For an empty file field browsers
 * send an empty file without a name.
 *
 * @throws {HttpError} `invalid_input` when it is no file, `not_logged_in` when the session ended during the upload, and
 * as scanUpload(), checkImage() and tryPixels()
 */
export async function readImageField(
  ctx: EdgeContext,
  user: Pick<Caller, "person" | "sessionHash">,
  form: FormData,
): Promise<CheckedImage | null> {
  await requireSession(ctx, user);
  const file = form.get("image");
  if (file === null || (file instanceof File && file.size === 0 && file.name === "")) return null;
  if (!(file instanceof File)) throw new HttpError("invalid_input", { detail: "image is not a file" });
  const bytes = new Uint8Array(await file.arrayBuffer());
  await scanUpload(ctx, user, { name: file.name, bytes });
  // Cleaning, hashing and writing 5 MB take some 20 ms each: yield between them.
  await turnLoop();
  const image = checkImage(bytes, file.name);
  await turnLoop();
  return await tryPixels(image, file.name);
}
