/** Shrinks pictures that Chromium wrote, and lets Chromium read them. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { launchBrowser } from "./browser.ts";
import { shrinkPng } from "./shrink_png.ts";

Deno.test("shrinkPng() keeps a picture of few colours as it is, in fewer bytes", async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 256, height: 64 } });
    const pixels = (png: Uint8Array) =>
      page.evaluate(async (source) => {
        const image = await createImageBitmap(await (await fetch(source)).blob());
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
        context.drawImage(image, 0, 0);
        return [...context.getImageData(0, 0, image.width, image.height).data];
      }, `data:image/png;base64,${Buffer.from(png).toString("base64")}`);
    const stripes = "repeating-linear-gradient(45deg, teal 0 7px, gold 7px 9px)";
    await page.setContent(`<body style="margin: 0"><div style="height: 64px; background: ${stripes}">`);
    const png = await page.screenshot();
    const small = shrinkPng(png);
    assert.deepEqual(await pixels(small), await pixels(png));
    assert.ok(small.length < png.length, `${png.length} bytes became ${small.length}`);
  } finally {
    await browser.close();
  }
});
