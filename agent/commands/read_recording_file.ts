/** Reads the file of a recording that a person names. */
import { ExitError } from "../exit_error.ts";
import { readNamedFile } from "./read_named_file.ts";
import { parseRecording, type Recording, RecordingError } from "../recordings/recording.ts";

const MAX_FILE_BYTES = 8_000_000;

/** Reads a recording. @throws {ExitError} when there is none at that path */
export async function readRecordingFile(file: string): Promise<Recording> {
  return recordingIn(file, await readTextOf(file));
}

/** Reads a file of bounded size. @throws {ExitError} when it cannot be read */
export function readTextOf(file: string): Promise<string> {
  return readNamedFile(file, MAX_FILE_BYTES);
}

/** Returns the recording in a file's text. @throws {ExitError} when it is none */
export function recordingIn(file: string, text: string): Recording {
  try {
    return parseRecording(text);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    throw new ExitError("usage", `Cannot read "${file}": ${error.message}`);
  }
}

/** True for the text of a dump. */
export function isXml(text: string): boolean {
  return /^\s*\ufeff?</.test(text);
}
