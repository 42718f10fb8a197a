import { MAX_IMAGE_BYTES } from "shared/campaign.ts";
import type { AdbClient } from "../adb/client.ts";
import { ExitError } from "../exit_error.ts";
import { Journal } from "../journal/journal.ts";
import { JournalLockedError } from "../journal/journal_file.ts";
import { errorText } from "../log.ts";
import type { Phone } from "../phone/phone.ts";
import { BadLineError, JsonLines } from "../rehearsal/json_lines.ts";
import {
  noticeSchema,
  type Order,
  orderSchema,
  type Refusal,
  type Report,
  type Step,
} from "../rehearsal/rehearsal.ts";
import { recorderOf } from "../rehearsal/keep_recording.ts";
import { rehearse } from "../rehearsal/rehearse.ts";
import { MAX_NOTICE_BYTES, rehearsalSocket } from "../rehearsal/socket_path.ts";
import { MESSAGE_WORDS, REFUSAL_WORDS, RESULT_WORDS, type Words, wordsOf } from "../rehearsal/words.ts";
import type { Command, CommandContext } from "./command.ts";
import { orForbidden } from "./forbidden.ts";
import { ask, readLine } from "./read_input.ts";
import { phoneAt, withAdb } from "./with_adb.ts";
import { SiteScreens } from "../screens/site_screens.ts";

/** Every file counts: the app is not known before the rehearsal has asked for it. */
const ANY_APP = { appVersion: null, language: null };
const SIGNS: Record<Step["verdict"], string> = { ok: "✓", failed: "✗", not_seen: "?", not_done: "–" };

export const rehearseCommand: Command = {
  options: {
    phone: { type: "string" },
    account: { type: "string" },
    to: { type: "string" },
    picture: { type: "string" },
    json: { type: "boolean" },
  },

  async run(context) {
    const order = await readOrder(context);
    const seat = seatOf(context);
    const journal = await openAlone(context);
    const report = journal === null
      ? await borrow(context, order, seat)
      : await rehearseAlone(context, { order, journal, seat });
    if (context.options.json) context.print(JSON.stringify(withWords(report)));
    else conclude(report, context.print);
    const hasSent = order.to === null || report.message === "sent";
    return report.result === "passed" && hasSent ? 0 : 1;
  },
};

/** The person's side: the steps as they come, and the question for the code. */
interface Seat {
  onStep(step: Step): void;
  onWaiting(): void;
  askCode(triesLeft: number): Promise<string>;
}

function seatOf({ options, print, stop }: CommandContext): Seat {
  const toPerson = (line: string) => Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
  return {
    onStep: (step) => options.json ? undefined : linesOf(step).forEach(print),
    onWaiting: () =>
      options.json ? undefined : print("תוכנת האתר משאילה את הטלפון · The agent lends the phone"),
    async askCode(triesLeft) {
      const question =
        `הקוד שעל מסך הטלפון (${triesLeft}; שורה ריקה מראה אותו שוב) · The code on the phone's screen (empty: show it again):`;
      if (Deno.stdin.isTerminal()) return (await ask(question, stop)).trim();
      toPerson(question);
      return (await readLine(stop)).trim();
    },
  };
}

async function readOrder({ options }: CommandContext): Promise<Order> {
  const text = (name: string) => typeof options[name] === "string" ? options[name] as string : null;
  const device = text("phone");
  if (device === null) {
    throw new ExitError("usage", 'Cannot rehearse: name the phone with --phone; see "devices"');
  }
  const picture = text("picture");
  const bytes = picture === null ? null : await readPicture(picture);
  const order = orderSchema.safeParse({
    device,
    account: text("account"),
    to: text("to"),
    picture: bytes?.toBase64() ?? null,
  });
  if (order.success) return order.data;
  const wrong = order.error.issues.map(({ path }) =>
    path[0] === "device" ? "--phone" : `--${String(path[0])}`
  );
  const hint = wrong.includes("--to") ? "; --to must be a number such as +972501234567" : "";
  throw new ExitError("usage", `Cannot rehearse: ${[...new Set(wrong)].join(", ")} is not valid${hint}`);
}

const SIGNATURES = [[0xff, 0xd8, 0xff], [0x89, 0x50, 0x4e, 0x47], [0x52, 0x49, 0x46, 0x46]];

async function readPicture(path: string): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const { size, isFile } = await Deno.stat(path);
    if (!isFile || size > MAX_IMAGE_BYTES) {
      throw new ExitError("usage", `Cannot rehearse: "${path}" is no file of at most 5 MB`);
    }
    bytes = await Deno.readFile(path);
  } catch (error) {
    if (error instanceof ExitError) throw error;
    throw new ExitError("usage", `Cannot rehearse: "${path}" cannot be read`);
  }
  if (SIGNATURES.some((signature) => signature.every((byte, at) => bytes[at] === byte))) return bytes;
  throw new ExitError("usage", `Cannot rehearse: "${path}" is no JPEG, PNG or WebP`);
}

/** Returns null when a running agent holds the journal: it has the phones too. */
async function openAlone({ config, clock, newId }: CommandContext): Promise<Journal | null> {
  await orForbidden(config.agentDir, () => Deno.mkdir(config.agentDir, { recursive: true, mode: 0o700 }));
  let journal: Journal;
  try {
    journal = new Journal(`${config.agentDir}/journal.db`, { now: () => clock.now(), newId });
  } catch (error) {
    if (error instanceof JournalLockedError) return null;
    throw new ExitError("config", (error as Error).message);
  }
  if ((journal.countByState().tapping ?? 0) === 0) return journal;
  journal.close();
  throw refused("tap_in_doubt", "unwell");
}

interface AloneParts {
  order: Order;
  journal: Journal;
  seat: Seat;
}

async function rehearseAlone(context: CommandContext, { order, journal, seat }: AloneParts): Promise<Report> {
  const { clock, newId, stop } = context;
  const screens = new SiteScreens(context.config.agentDir);
  try {
    return await withAdb(context, async (adb) => {
      const phone = await findPhone(context, adb, order.device);
      if (order.to !== null && journal.isStopped(phone.device)) throw refused("phone_stopped", "unwell");
      return await rehearse(
        {
          phone,
          journal,
          clock,
          newId,
          recorder: recorderOf(order, {
            agentDir: context.config.agentDir,
            clock,
            newId,
            words: screens.wordsOf(ANY_APP),
            onLost: (error) => context.log("warn", "recording_not_kept", { why: errorText(error) }),
          }),
          onStep: seat.onStep,
          askCode: seat.askCode,
          isWanted: () => !stop.aborted,
          wordsOf: (facts) => screens.wordsOf(facts),
        },
        order,
        stop,
      );
    });
  } finally {
    journal.close();
  }
}

async function findPhone(context: CommandContext, adb: AdbClient, device: string): Promise<Phone> {
  for (const { serial, state } of await adb.devices(context.stop)) {
    if (state !== "device") continue;
    const phone = await phoneAt(context, adb, serial).catch(() => null);
    if (phone?.device === device) return phone;
  }
  throw refused("no_such_phone", "unavailable");
}

/** Lets the running agent rehearse, and shows what it reports. The connection is the sign that a person is there. */
async function borrow({ config, stop }: CommandContext, order: Order, seat: Seat): Promise<Report> {
  const path = rehearsalSocket(config.agentDir);
  let socket: Deno.Conn;
  try {
    socket = await Deno.connect({ transport: "unix", path });
  } catch {
    throw new ExitError(
      "unavailable",
      "תוכנת האתר פועלת ולא משאילה טלפונים. לנסות שוב בעוד רגע, או לעדכן אותה · " +
        "The agent runs and lends no phones: try again in a moment, or update it",
    );
  }
  using lines = new JsonLines(socket);
  const end = () => lines[Symbol.dispose]();
  stop.addEventListener("abort", end, { once: true });
  await lines.write(order);
  for (;;) {
    const notice = await lines.read(noticeSchema, MAX_NOTICE_BYTES).catch((error) => {
      if (error instanceof BadLineError) return null;
      throw error;
    });
    if (notice === null) {
      throw new ExitError(
        stop.aborted ? "unwell" : "unavailable",
        "החיבור לתוכנת האתר נותק. הקשה שהתחילה תיבדק על ידה, ולא תחזור · The connection to the agent ended. " +
          "It looks back at a tap that began, and never repeats it",
      );
    }
    if (notice.type === "waiting") seat.onWaiting();
    else if (notice.type === "step") seat.onStep(notice.step);
    else if (notice.type === "question") void lines.write({ code: await seat.askCode(notice.triesLeft) });
    else if (notice.type === "report") return notice.report;
    else if (notice.type === "screens") continue;
    else throw refused(notice.why, REFUSED_KIND[notice.why] ?? "unwell");
  }
}

const REFUSED_KIND: Partial<Record<Refusal, ExitError["kind"]>> = {
  no_such_phone: "unavailable",
  busy: "busy",
  too_many: "busy",
};

function refused(why: Refusal, kind: ExitError["kind"]): ExitError {
  const { he, en } = REFUSAL_WORDS[why];
  return new ExitError(kind, `אין חזרה: ${he} · Cannot rehearse: ${en}`);
}

function linesOf(step: Step): string[] {
  const { lookedFor, saw, verdict } = wordsOf(step);
  const both = ({ he, en }: Words) => `${he} · ${en}`;
  return [
    `${SIGNS[step.verdict]} ${both(lookedFor)}`,
    `    ${both(verdict)}; ${both(saw)}; ${(step.tookMs / 1_000).toFixed(1)} s`,
  ];
}

function conclude(report: Report, print: (line: string) => void): void {
  const says = [RESULT_WORDS[report.result], ...(report.message ? [MESSAGE_WORDS[report.message]] : [])];
  for (const { he, en } of says) [he, en].forEach(print);
  if (report.recording !== null) print(`הקלטה · Recording: ${report.recording}`);
}

function withWords(report: Report) {
  return {
    ...report,
    words: RESULT_WORDS[report.result],
    steps: report.steps.map((step) => ({ ...step, words: wordsOf(step) })),
  };
}
