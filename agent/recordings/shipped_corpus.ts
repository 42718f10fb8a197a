/** The recordings of the release: those of `corpus/`, which an installed agent has inside its bundle. */
import { parseRecording } from "./recording.ts";
import type { StoredRecording } from "./store.ts";

/** Set while the agent is bundled (`shipping/bundle.ts`): what packCorpus() returned. */
declare const PACKED_CORPUS: string | undefined;

type NamedText = [name: string, text: string];

/** Returns the recordings by name. */
export async function shippedCorpus(): Promise<StoredRecording[]> {
  const texts = typeof PACKED_CORPUS === "undefined" ? await readCorpus() : await unpack(PACKED_CORPUS);
  return texts.map(([name, text]) => ({ name, recording: parseRecording(text) }));
}

/** Returns all files of the corpus as one short text, for a bundle. */
export async function packCorpus(): Promise<string> {
  const packed = new Blob([JSON.stringify(await readCorpus())]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer()).toBase64();
}

async function unpack(packed: string): Promise<NamedText[]> {
  const texts = new Blob([Uint8Array.fromBase64(packed)]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(texts).text());
}

async function readCorpus(): Promise<NamedText[]> {
  const folder = new URL("./corpus/", import.meta.url);
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
  return await Promise.all(
    names.map(async (name): Promise<NamedText> => [name, await Deno.readTextFile(new URL(name, folder))]),
  );
}
