/** Decompresses a PNG off the main thread: 25 megapixels keep a thread busy for a third of a second. */
import { type PngVerdict, verdictOn } from "./png_verdict.ts";

const port = globalThis as unknown as {
  onmessage: (event: MessageEvent<Uint8Array>) => void;
  postMessage(message: PngVerdict): void;
};

port.onmessage = async ({ data }) => {
  try {
    port.postMessage(await verdictOn(data));
  } catch (error) {
    port.postMessage({ broken: error instanceof Error ? error.message : String(error), profileOpens: true });
  }
};
