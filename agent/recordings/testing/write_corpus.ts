/** `deno run -A agent/recordings/testing/write_corpus.ts`: writes the rebuilt recordings of the corpus. */
import { formatRecording, recordingSchema } from "../recording.ts";
import { corpus } from "./corpus_recordings.ts";

const folder = new URL("../corpus/", import.meta.url);
for (const { name, recording } of corpus()) {
  Deno.writeTextFileSync(new URL(`${name}.json`, folder), formatRecording(recordingSchema.parse(recording)));
}
