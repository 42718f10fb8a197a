import { MAX_IMAGE_BYTES } from "shared/campaign.ts";
import { CREATE } from "./text/client_home.ts";
import { formatBytes } from "../../text/format.ts";

const IMAGE_TYPES = ["image/jpeg", "image/png", "image/webp"];

/** Returns the reason why an image cannot be attached, or undefined. */
export function imageProblem(file: File): string | undefined {
  if (IMAGE_TYPES.includes(file.type) && file.size <= MAX_IMAGE_BYTES) return undefined;
  return CREATE.imageRefused(file.type || file.name, formatBytes(file.size));
}
