import type { AdbClient } from "../adb/client.ts";
import { ExitError } from "../exit_error.ts";
import { Journal } from "../journal/journal.ts";
import { JournalLockedError } from "../journal/journal_file.ts";
import { discoverAccounts } from "../phone/discover_accounts.ts";
import type { Phone } from "../phone/phone.ts";
import type { AppFactsForScreens } from "../screens/screen_words.ts";
import { SiteScreens } from "../screens/site_screens.ts";
import { type HandOutcome, sendByHand } from "../delivery/send_by_hand.ts";
import type { Command, CommandContext } from "./command.ts";
import { orForbidden } from "./forbidden.ts";
import { ask } from "./read_input.ts";
import { phoneAt, withAdb } from "./with_adb.ts";

const MAX_TEXT_CHARS = 1_000;

export const sendOneCommand: Command = {
  options: {
    to: { type: "string" },
    text: { type: "string" },
    account: { type: "string" },
    yes: { type: "boolean" },
  },

  async run(context) {
    const { config, clock, newId, print, stop } = context;
    const order = readOrder(context);
    const journal = await openAlone(context);
    try {
      return await withAdb(context, async (adb) => {
        const { phone, account, app } = await findSender(context, adb, order.account);
        if (journal.isStopped(phone.device)) {
          throw new ExitError("unwell", `Cannot send: an administrator stopped phone "${phone.device}"`);
        }
        print(`From ${account} to ${order.to}: ${JSON.stringify(order.text)}`);
        print(
          `${config.edgeUrl} does not know of this message: it counts towards no quota and no daily limit.`,
        );
        if (!order.isConfirmed && (await ask('Type "yes" to send it:', stop)).trim() !== "yes") {
          throw new ExitError("unwell", "Nothing was sent.");
        }
        const words = new SiteScreens(config.agentDir).wordsOf(app);
        const message = { phone: order.to, text: order.text, account };
        return printOutcome(await sendByHand({ journal, phone, clock, newId, words }, message, stop), print);
      });
    } finally {
      journal.close();
    }
  },
};

interface Order {
  to: string;
  text: string;
  account: string | undefined;
  isConfirmed: boolean;
}

function readOrder({ options, clock }: CommandContext): Order {
  const { to, account, yes } = options;
  if (typeof to !== "string" || !/^\+[1-9]\d{6,14}$/.test(to)) {
    throw new ExitError("usage", "Cannot send: --to must be a number such as +972501234567");
  }
  const time = new Date(clock.now()).toISOString().slice(0, 19);
  const text = typeof options.text === "string" ? options.text : `בדיקת שליחה ${time}`;
  if (text.trim() === "" || text.length > MAX_TEXT_CHARS) {
    throw new ExitError("usage", `Cannot send: --text must have 1 to ${MAX_TEXT_CHARS} characters`);
  }
  return { to, text, account: typeof account === "string" ? account : undefined, isConfirmed: yes === true };
}

/** The journal's lock excludes an agent while this command runs, and this command while an agent runs. */
async function openAlone({ config, clock, newId }: CommandContext): Promise<Journal> {
  const path = `${config.agentDir}/journal.db`;
  await orForbidden(config.agentDir, () => Deno.mkdir(config.agentDir, { recursive: true, mode: 0o700 }));
  let journal: Journal;
  try {
    journal = new Journal(path, { now: () => clock.now(), newId });
  } catch (error) {
    if (!(error instanceof JournalLockedError)) throw new ExitError("config", (error as Error).message);
    throw new ExitError(
      "locked",
      "Cannot send: the agent is running. Stop it first: sudo systemctl stop shigur-agent",
    );
  }
  if ((journal.countByState().tapping ?? 0) === 0) return journal;
  journal.close();
  throw new ExitError(
    "unwell",
    "Cannot send: an earlier tap has no outcome yet. Start the agent, which will check it",
  );
}

async function findSender(
  context: CommandContext,
  adb: AdbClient,
  wanted: string | undefined,
): Promise<{ phone: Phone; account: string; app: AppFactsForScreens }> {
  const addresses = (await adb.devices(context.stop)).filter(({ state }) => state === "device");
  for (const { serial } of addresses) {
    const phone = await phoneAt(context, adb, serial).catch(() => null);
    const accounts = phone === null ? [] : await discoverAccounts(phone, context.stop).catch(() => []);
    const found = accounts.find(({ account }) => wanted === undefined || account === wanted);
    if (phone !== null && found) return { phone, account: found.account, app: found };
  }
  const which = wanted === undefined ? "no phone with a messaging app" : `no account "${wanted}"`;
  throw new ExitError("unavailable", `Cannot send: found ${which}; see "accounts" and "doctor"`);
}

function printOutcome(outcome: HandOutcome, print: (line: string) => void): number {
  switch (outcome.kind) {
    case "sent":
      print("Sent, and visible in the chat.");
      return 0;
    case "not_sent":
      print(`Not sent: ${outcome.reason}.`);
      return 1;
    case "unknown":
      print(
        "Unknown: the tap was made, but nothing proves its result. Look at the phone; the tap is not repeated.",
      );
      return 1;
    case "left_to_agent":
      print(
        "Unknown: the phone did not answer. The agent checks it when it runs again; the tap is not repeated.",
      );
      return 1;
  }
}
