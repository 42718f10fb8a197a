/** Checks an uploaded image: type by its bytes, limits, and removal of everything except the picture. */
import { MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from "shared/campaign.ts";
import { HttpError } from "../http/http_error.ts";
import { tryPng } from "./decode_png.ts";
import { asciiAt, type CleanImage } from "./image_bytes.ts";
import { cleanJpeg } from "./image_jpeg.ts";
import { cleanPng } from "./image_png.ts";
import { cleanWebp } from "./image_webp.ts";
import { withoutProfile } from "./png_profile.ts";

export interface CheckedImage extends CleanImage {
  mediaType: "image/jpeg" | "image/png" | "image/webp";
}

/**
 * Checks and cleans an uploaded image.
 *
 * @param fileName as the browser sent it; used only to name the type in the refusal
 * @throws {HttpError} `unsupported_media` when it is not a whole JPEG, PNG or WebP of at most 25 megapixels,
 * `body_too_large` when it is over 5 MB
 */
export function checkImage(bytes: Uint8Array, fileName: string): CheckedImage {
  if (bytes.length > MAX_IMAGE_BYTES) throw refusal("body_too_large", bytes, fileName, "over the size limit");
  let image: CheckedImage;
  try {
    image = clean(bytes);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refusal("unsupported_media", bytes, fileName, error.message);
  }
  const pixels = image.width * image.height;
  if (pixels === 0) throw refusal("unsupported_media", bytes, fileName, "no pixels");
  if (pixels > MAX_IMAGE_PIXELS) {
    const size = `${image.width}×${image.height}`;
    const text = `התמונה גדולה מדי: ${size} פיקסלים. אפשר לצרף תמונה עד ${MAX_IMAGE_PIXELS / 1e6} מגה-פיקסל.`;
    throw new HttpError("unsupported_media", { text, detail: `${size} pixels` });
  }
  return image;
}

/**
 * Checks that the pixels of a checked image decode. Only a PNG can be tried.
 *
 * @returns the image, without a colour profile that is empty or larger than any real profile
 * @throws {HttpError} `unsupported_media` when its data are damaged, `too_many_attempts` and `not_ready` as tryPng()
 */
export async function tryPixels(image: CheckedImage, fileName: string): Promise<CheckedImage> {
  if (image.mediaType !== "image/png") return image;
  const { broken, profileOpens } = await tryPng(image.bytes);
  if (broken !== null) throw refusal("unsupported_media", image.bytes, fileName, broken);
  return profileOpens ? image : { ...image, bytes: withoutProfile(image.bytes) };
}

const TAKEN = ["JPG", "PNG", "WebP"];

function clean(bytes: Uint8Array): CheckedImage {
  switch (typeOf(bytes)) {
    case "JPG":
      return { mediaType: "image/jpeg", ...cleanJpeg(bytes) };
    case "PNG":
      return { mediaType: "image/png", ...cleanPng(bytes) };
    case "WebP":
      return { mediaType: "image/webp", ...cleanWebp(bytes) };
    default:
      throw new SyntaxError("Cannot read image: unknown type");
  }
}

/** Returns the short name of a file's type by its first bytes, or null. */
function typeOf(bytes: Uint8Array): string | null {
  const head = asciiAt(bytes, 0, 64);
  if (head.startsWith("\xff\xd8\xff")) return "JPG";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "PNG";
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "WebP";
  if (head.startsWith("GIF8")) return "GIF";
  if (head.startsWith("%PDF")) return "PDF";
  if (head.startsWith("BM")) return "BMP";
  if (/^....ftyp(heic|heix|mif1)/s.test(head)) return "HEIC";
  if (/^....ftypavif/s.test(head)) return "AVIF";
  if (head.startsWith("II*\0") || head.startsWith("MM\0*")) return "TIFF";
  if (/^(\xef\xbb\xbf)?\s*<(\?xml|svg)/i.test(head)) return "SVG";
  if (/^(\xef\xbb\xbf)?\s*<(!doctype|html|script)/i.test(head)) return "HTML";
  return null;
}

function refusal(
  code: "unsupported_media" | "body_too_large",
  bytes: Uint8Array,
  fileName: string,
  detail: string,
): HttpError {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(fileName)?.[1]?.toUpperCase();
  const type = typeOf(bytes) ?? extension ?? "לא מזוהה";
  const chosen = `${type}, ${sizeText(bytes.length)}`;
  // A broken file has an accepted type and size, so neither can be the reason for the refusal.
  const isBroken = code === "unsupported_media" && TAKEN.includes(type);
  const text = isBroken
    ? `התמונה שנבחרה (${chosen}) פגומה, מונפשת או בנויה באופן חריג. כדאי לשמור אותה מחדש כתמונה רגילה ולנסות שוב.`
    : `אפשר לצרף תמונת JPG, PNG או WebP עד 5MB. הקובץ שנבחר: ${chosen}.`;
  return new HttpError(code, { text, detail });
}

/** For example "820KB", "5.2MB"; rounded up, so that a file just over the limit never reads as the limit. */
function sizeText(bytes: number): string {
  const kilobytes = Math.ceil(bytes / 1024);
  return kilobytes < 1024 ? `${kilobytes}KB` : `${Math.ceil(kilobytes / 102.4) / 10}MB`;
}
