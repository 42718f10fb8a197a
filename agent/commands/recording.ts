import { ExitError } from "../exit_error.ts";
import { recordingOfDump } from "../recordings/from_dump.ts";
import { formatRecording, type Recording } from "../recordings/recording.ts";
import { replay, sameVerdict } from "../recordings/replay.ts";
import { standingWords, stepLine, verdictWords } from "../recordings/replay_words.ts";
import type { Command, CommandContext } from "./command.ts";
import { isXml, readTextOf, recordingIn } from "./read_recording_file.ts";

type Language = "he" | "en";

const LINES = {
  standing: { he: "המקור", en: "standing" },
  verdict: { he: "סוף", en: "end" },
  recorded: { he: "בהקלטה", en: "as recorded" },
  wrong: { he: "לחיצה שגויה", en: "a wrong tap" },
  right: { he: "לחיצות שליחה נכונות", en: "right taps on send" },
};

export const recordingCommand: Command = {
  options: {
    lang: { type: "string" },
    json: { type: "boolean" },
    app: { type: "string" },
    user: { type: "string" },
    window: { type: "string" },
  },
  maxArgs: 3,

  async run(context) {
    const [verb, file, target, ...rest] = context.args;
    if (verb === "replay" && file !== undefined && target === undefined) {
      return await replayFile(context, file);
    }
    if (verb === "make" && file !== undefined && target !== undefined && rest.length === 0) {
      return await makeFile(context, file, target);
    }
    throw new ExitError("usage", 'Cannot run recording: see "recording --help"');
  },
};

async function replayFile(context: CommandContext, file: string): Promise<number> {
  const { options, print } = context;
  const languages = readLanguages(options.lang);
  const recording = await readFile(context, file);
  const result = await replay(recording);
  const isAsRecorded = recording.verdict === null || sameVerdict(result.verdict, recording.verdict);
  if (options.json) print(JSON.stringify({ ...result, isAsRecorded }));
  else {
    for (const language of languages) {
      print(`${LINES.standing[language]}: ${standingWords(recording.standing)[language]}`);
      result.steps.forEach((step, at) => print(stepLine(step, at, language)));
      result.wrongTaps.forEach((why) => print(`✗ ${LINES.wrong[language]}: ${why}`));
      print(`${LINES.right[language]}: ${result.sendTaps - result.wrongTaps.length}`);
      print(`${LINES.verdict[language]}: ${verdictWords(result.verdict)[language]}`);
      if (!isAsRecorded) {
        print(`✗ ${LINES.recorded[language]}: ${verdictWords(recording.verdict!)[language]}`);
      }
    }
  }
  return isAsRecorded && result.wrongTaps.length === 0 ? 0 : 1;
}

/** Writes the redacted recording of a dump. The dump itself is only read. */
async function makeFile(context: CommandContext, file: string, target: string): Promise<number> {
  const recording = await readFile(context, file);
  try {
    await Deno.writeTextFile(target, formatRecording(recording), { createNew: true });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new ExitError("usage", `Cannot write "${target}": it exists`);
    }
    throw error;
  }
  context.print(target);
  return 0;
}

/** Reads a recording, or the XML of a dump as one. */
async function readFile({ options }: CommandContext, file: string): Promise<Recording> {
  const text = await readTextOf(file);
  if (!isXml(text)) return recordingIn(file, text);
  const app = typeof options.app === "string"
    ? options.app
    : /package="(com\.whatsapp(?:\.w4b)?)"/.exec(text)?.[1];
  const recording = await recordingOfDump(text, {
    app: app ?? "com.whatsapp",
    user: typeof options.user === "string" && /^\d{1,5}$/.test(options.user) ? Number(options.user) : 0,
    window: typeof options.window === "string"
      ? options.window
      : `${app ?? "com.whatsapp"}/com.whatsapp.Conversation`,
  });
  if (!recording) throw new ExitError("usage", `Cannot read "${file}": it is neither a recording nor a dump`);
  return recording;
}

function readLanguages(given: unknown): Language[] {
  if (given === undefined) return ["he", "en"];
  if (given === "he" || given === "en") return [given];
  throw new ExitError("usage", "Cannot run recording: --lang must be he or en");
}
