import { DESK_PATH, deskSearch } from "shared/desk_guide.ts";
import { checkAdb } from "../doctor/check_adb.ts";
import { checkEdge } from "../doctor/check_edge.ts";
import { checkPhones } from "../doctor/check_phones.ts";
import {
  checkAgent,
  checkDisk,
  checkIdentity,
  checkJournal,
  checkPlace,
  checkScreens,
} from "../doctor/check_site.ts";
import { type Finding, finding, levelOf, type Sentence, textOf } from "../doctor/words.ts";
import { EXIT_CODE, ExitError } from "../exit_error.ts";
import type { Command, CommandContext } from "./command.ts";
import { withAdb } from "./with_adb.ts";

type Language = keyof Sentence;

const MARKS = { ok: "✓", warning: "!", problem: "✗", unseen: "?" };
const LEVELS: Record<Language, Record<keyof typeof MARKS, string>> = {
  he: { ok: "תקין", warning: "אזהרה", problem: "בעיה", unseen: "לא נראה" },
  en: { ok: "ok", warning: "warning", problem: "problem", unseen: "not seen" },
};

export const doctorCommand: Command = {
  options: { lang: { type: "string" }, json: { type: "boolean" } },

  async run(context) {
    const { options, print } = context;
    const languages = readLanguages(options.lang);
    const found: Finding[] = [];
    // Print each finding as soon as it is known: the check of a hung phone takes long.
    await examine(context, (finding) => {
      found.push(finding);
      if (!options.json) languages.forEach((language) => print(lineOf(finding, language)));
    });
    if (options.json) print(JSON.stringify(found.map(toJson)));
    return found.some((finding) => levelOf(finding) === "problem") ? EXIT_CODE.unwell : 0;
  },
};

async function examine(context: CommandContext, show: (finding: Finding) => void): Promise<void> {
  const { config: { agentDir, edgeUrl, adbServer }, clock, newId, stop } = context;
  show(await checkDisk(agentDir));
  (await checkPlace(agentDir)).forEach(show);
  const { identity, findings } = await checkIdentity(agentDir);
  findings.forEach(show);
  const { status, finding: ofAgent } = await checkAgent(agentDir, clock.now());
  show(ofAgent);
  if (status === null) (await checkJournal(agentDir, newId)).forEach(show);
  checkScreens(agentDir).forEach(show);
  (await checkEdge({ edgeUrl, identity, now: () => clock.now(), newId }, stop)).forEach(show);
  const ofAdb = await checkAdb(adbServer, stop);
  ofAdb.forEach(show);
  if (ofAdb.some((one) => levelOf(one) === "problem")) return;
  const ofPhones = await withAdb(context, (adb) => checkPhones({ adb, clock, status }, stop));
  ofPhones.forEach(show);
  if (ofPhones.some(({ code }) => isOfSettings(code))) show(deskPage(edgeUrl));
}

function isOfSettings(code: Finding["code"]): boolean {
  return code === "setting_wrong" || code === "setting_stops" || code === "setting_unseen";
}

/** Returns where the page beside the desk is, in each language. */
function deskPage(edgeUrl: string): Finding {
  const page = (language: Language) => new URL(`${DESK_PATH}${deskSearch(null, language)}`, edgeUrl).href;
  return finding("desk_page", { page: { he: page("he"), en: page("en") } });
}

function readLanguages(given: unknown): Language[] {
  if (given === undefined) return ["he", "en"];
  if (given === "he" || given === "en") return [given];
  throw new ExitError("usage", "Cannot run doctor: --lang must be he or en");
}

function lineOf(finding: Finding, language: Language): string {
  const level = levelOf(finding);
  const { text, todo } = textOf(finding, language);
  return `${MARKS[level]} ${LEVELS[language][level]}: ${text}${todo === null ? "" : ` → ${todo}`}`;
}

function toJson(finding: Finding) {
  const { code, facts } = finding;
  return { level: levelOf(finding), code, facts, he: textOf(finding, "he"), en: textOf(finding, "en") };
}
