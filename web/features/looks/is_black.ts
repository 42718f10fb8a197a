const SIDE = 24;
/** Of 255; a picture of a dark screen has zeros, a dark theme has more. */
const BLACK = 8;

/** Returns whether a picture is black everywhere. Returns false when the browser cannot say. */
export async function isBlack(picture: Blob): Promise<boolean> {
  if (typeof createImageBitmap === "undefined") return false;
  try {
    const bitmap = await createImageBitmap(picture, { resizeWidth: SIDE, resizeHeight: SIDE });
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    const context = canvas.getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    const { data } = context.getImageData(0, 0, SIDE, SIDE);
    return data.every((value, at) => at % 4 === 3 || value < BLACK);
  } catch {
    return false;
  }
}
