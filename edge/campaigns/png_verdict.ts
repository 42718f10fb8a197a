import { checkPngPixels } from "./png_pixels.ts";
import { profileOpens } from "./png_profile.ts";

export interface PngVerdict {
  /** Why the pixels cannot be decoded, in English; null when they can. */
  broken: string | null;
  /** False when its colour profile does not decompress within its limit. */
  profileOpens: boolean;
}

/** Judges a PNG in the calling thread. */
export async function verdictOn(png: Uint8Array): Promise<PngVerdict> {
  try {
    await checkPngPixels(png);
  } catch (error) {
    if (error instanceof SyntaxError) return { broken: error.message, profileOpens: true };
    throw error;
  }
  return { broken: null, profileOpens: profileOpens(png) };
}
