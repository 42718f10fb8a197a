/** The recordings of a site, in `<agentDir>/recordings/`: bounded in number, size and age. */
import {
  formatRecording,
  MAX_RECORDING_BYTES,
  parseRecording,
  type Recording,
  RecordingError,
} from "./recording.ts";

export const MAX_RECORDINGS = 60;
export const MAX_ALL_BYTES = 30_000_000;
const MAX_AGE_MS = 90 * 86_400_000;
const NAME = /^[a-z0-9][a-z0-9_.-]{0,80}\.json$/;

export interface StoredRecording {
  name: string;
  recording: Recording;
}

/**
 * Writes a recording and removes the oldest ones beyond the bounds. Returns the path of the file.
 *
 * @throws {RecordingError} when it is larger than a file may be
 */
export async function keepRecording(
  agentDir: string,
  recording: Recording,
  { now, newId }: { now: number; newId: () => string },
): Promise<string> {
  const text = formatRecording(recording);
  if (new TextEncoder().encode(text).length > MAX_RECORDING_BYTES) {
    throw new RecordingError("Cannot keep recording: it is too large");
  }
  const folder = folderIn(agentDir);
  await Deno.mkdir(folder, { recursive: true });
  const time = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, "").toLowerCase();
  const name = `${time}-${recording.verdict?.kind ?? "none"}-${newId().slice(0, 8).toLowerCase()}.json`;
  // A reader of the folder must never see half a file.
  await Deno.writeTextFile(`${folder}/${name}.new`, text, { mode: 0o600 });
  await Deno.rename(`${folder}/${name}.new`, `${folder}/${name}`);
  await prune(folder, now);
  return `${folder}/${name}`;
}

/** Reads the site's recordings, newest first. Files that are none are named in `refused`. */
export async function readRecordings(
  agentDir: string,
): Promise<{ recordings: StoredRecording[]; refused: string[] }> {
  const recordings: StoredRecording[] = [];
  const refused: string[] = [];
  let bytes = 0;
  for (const { name, size } of await list(folderIn(agentDir))) {
    bytes += size;
    if (size > MAX_RECORDING_BYTES || bytes > MAX_ALL_BYTES || recordings.length >= MAX_RECORDINGS) {
      refused.push(name);
      continue;
    }
    try {
      const recording = parseRecording(await Deno.readTextFile(`${folderIn(agentDir)}/${name}`));
      recordings.push({ name, recording });
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      refused.push(name);
    }
  }
  return { recordings, refused };
}

async function prune(folder: string, now: number): Promise<void> {
  let bytes = 0;
  for (const [at, { name, size, changedAt }] of (await list(folder)).entries()) {
    bytes += size;
    if (at >= MAX_RECORDINGS || bytes > MAX_ALL_BYTES || now - changedAt > MAX_AGE_MS) {
      await Deno.remove(`${folder}/${name}`);
    }
  }
}

/** The files with names of recordings, newest first. Names begin with their time. */
async function list(folder: string): Promise<{ name: string; size: number; changedAt: number }[]> {
  const files: { name: string; size: number; changedAt: number }[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile || !NAME.test(name)) continue;
      const { size, mtime } = await Deno.stat(`${folder}/${name}`);
      files.push({ name, size, changedAt: mtime?.getTime() ?? 0 });
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return files.toSorted((a, b) => a.name < b.name ? 1 : -1);
}

function folderIn(agentDir: string): string {
  return `${agentDir}/recordings`;
}
