/** The screen files of this site: what its agent knows about the screens of newer apps. */
import { EXIT_CODE, ExitError } from "../exit_error.ts";
import { siteReplay } from "../recordings/replay_site.ts";
import { addScreenFile, removeScreenFile } from "../screens/keep_file.ts";
import { MAX_FILE_BYTES, type ScreenFile, ScreenFileError } from "../screens/screen_file.ts";
import { wordsFor } from "../screens/screen_words.ts";
import { SHIPPED_FILES } from "../screens/shipped_files.ts";
import { readSiteFiles } from "../screens/site_screens.ts";
import { JsonLines } from "../rehearsal/json_lines.ts";
import { noticeSchema } from "../rehearsal/rehearsal.ts";
import type { SeenScreen } from "../rehearsal/seen_screens.ts";
import { MAX_NOTICE_BYTES, rehearsalSocket } from "../rehearsal/socket_path.ts";
import { readNamedFile } from "./read_named_file.ts";
import type { Command, CommandContext } from "./command.ts";
import { orForbidden } from "./forbidden.ts";

const ANSWER_WITHIN_MS = 10_000;

export const screensCommand: Command = {
  options: { json: { type: "boolean" } },
  maxArgs: 2,

  async run(context) {
    const { args: [act, name], config: { agentDir } } = context;
    return await orForbidden(agentDir, async () => {
      if (act === "add" && name !== undefined) return await add(context, name);
      if (act === "remove" && name !== undefined) return await remove(context, name);
      if (act === "list" && name === undefined) return list(context);
      if (act === "seen" && name === undefined) return await seen(context);
      throw new ExitError("usage", "Cannot run screens: it is add <file>, list, remove <name>, or seen");
    });
  },
};

async function add({ config: { agentDir }, print }: CommandContext, path: string): Promise<number> {
  const { files: own } = readSiteFiles(agentDir);
  const replayAll = siteReplay(agentDir, (facts) => wordsFor({ own, shipped: SHIPPED_FILES }, facts));
  try {
    const { file, isReplaced, replayed } = await addScreenFile(
      agentDir,
      await readNamedFile(path, MAX_FILE_BYTES),
      replayAll,
    );
    print(`${isReplaced ? "הוחלף · replaced" : "נוסף · added"}: ${lineOf(file)}`);
    print(replayLine(replayed.filter(({ isShipped }) => !isShipped).length));
    print("הסוכן הפועל קורא אותו מעצמו · the running agent takes it by itself");
    return 0;
  } catch (error) {
    if (!(error instanceof ScreenFileError)) throw error;
    throw new ExitError("unwell", `הקובץ לא התקבל · Cannot add "${path}": ${error.message}`);
  }
}

function replayLine(count: number): string {
  if (count === 0) {
    return "אין באתר הקלטות; ההקלטות של הגרסה עברו · this site has no recordings; those of the release pass";
  }
  if (count === 1) return "הקלטה אחת עברה · 1 recording passes";
  return `${count} הקלטות עברו · ${count} recordings pass`;
}

async function remove({ config: { agentDir }, print }: CommandContext, name: string): Promise<number> {
  if (!await removeScreenFile(agentDir, name)) {
    throw new ExitError("unwell", `אין קובץ כזה · Cannot remove "${name}": this site has no such file`);
  }
  print(`הוסר · removed: ${name}`);
  return 0;
}

/** Shows the screens that accounts of the running agent wait on, as the phone names their parts. Stores nothing. */
async function seen({ config: { agentDir }, options, print, stop }: CommandContext): Promise<number> {
  const screens = await askAgent(agentDir, stop);
  if (options.json) print(JSON.stringify(screens));
  else if (screens.length === 0) {
    print("אין חשבון שנעצר על מסך לא מוכר · no account waits on an unknown screen");
  }
  for (const { account, fingerprint, kind, window, parts, texts } of options.json ? [] : screens) {
    print(`${account}  ${fingerprint}  ${kind}  ${window}`);
    for (const part of parts) print(`  ${part.id}  ${part.class}  ${part.box}`);
    for (const text of texts) print(`  "${text}"`);
  }
  return 0;
}

async function askAgent(agentDir: string, stop: AbortSignal): Promise<SeenScreen[]> {
  const away = () =>
    new ExitError(
      "unavailable",
      "תוכנת האתר אינה פועלת או ישנה מדי, והמסך נמצא רק בזיכרון שלה · " +
        "The agent does not run or is too old, and only its memory has the screen",
    );
  const socket = await Deno.connect({ transport: "unix", path: rehearsalSocket(agentDir) }).catch(() => {
    throw away();
  });
  using lines = new JsonLines(socket);
  const end = () => lines[Symbol.dispose]();
  AbortSignal.any([stop, AbortSignal.timeout(ANSWER_WITHIN_MS)]).addEventListener("abort", end, {
    once: true,
  });
  await lines.write({ asks: "unknown_screens" });
  const notice = await lines.read(noticeSchema, MAX_NOTICE_BYTES).catch(() => null);
  if (notice?.type !== "screens") throw away();
  return notice.screens;
}

function list({ config: { agentDir }, options, print }: CommandContext): number {
  const { files, ignored } = readSiteFiles(agentDir);
  if (options.json) print(JSON.stringify({ site: files, shipped: SHIPPED_FILES, ignored }));
  else {
    for (const file of files) print(`site     ${lineOf(file)}`);
    for (const file of SHIPPED_FILES) print(`shipped  ${lineOf(file)}`);
    for (const { file, why } of ignored) print(`ignored  ${file}: ${why}`);
  }
  return ignored.length === 0 ? 0 : EXIT_CODE.unwell;
}

function lineOf({ name, language, appVersions, ...facts }: ScreenFile): string {
  const versions = appVersions === null
    ? "every version"
    : `${appVersions.from} to below ${appVersions.below}`;
  const groups = [
    ...facts.ids,
    ...Object.values(facts.dialogs),
    ...Object.values(facts.activities),
    ...facts.readMore ? [facts.readMore] : [],
  ];
  const unseen = groups.filter(({ seen }) => !seen).length;
  return `${name}  ${language}  ${versions}${
    unseen === 0 ? "" : `  (${unseen} of ${groups.length} never seen on a phone)`
  }`;
}
