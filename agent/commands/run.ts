import { findExposure } from "shared/exposed_folder.ts";
import { createAdbClient } from "../adb/client.ts";
import { OWN_ADB_SERVER, superviseAdbServer } from "../adb/adb_server.ts";
import { identityOrEnrol } from "../edge/enrol_itself.ts";
import { ExitError } from "../exit_error.ts";
import { Journal } from "../journal/journal.ts";
import { JournalDamagedError, JournalLockedError, JournalWriteError } from "../journal/journal_file.ts";
import type { Identity } from "../edge/identity.ts";
import { errorText } from "../log.ts";
import type { Worksite } from "../site/site_status.ts";
import { AGENT_VERSION } from "../version.ts";
import { runWorker } from "../site/worker.ts";
import type { Command, CommandContext } from "./command.ts";
import { orForbidden } from "./forbidden.ts";
import { keepStatus, type StatusKeeper } from "./keep_status.ts";

const OPEN_AGAIN_MS = 2_000;
const LOG_AGAIN_MS = 60_000;
const MOVE_AWAY =
  "move it away to start with an empty one: what this site held and has not reported then counts as unknown";

export const runCommand: Command = {
  async run(context) {
    const { config, log, stop } = context;
    await orForbidden(config.agentDir, () => Deno.mkdir(config.agentDir, { recursive: true, mode: 0o700 }));
    // Logged, not refused: a new version must not stop a site that sends. `doctor` shows the remedy.
    const exposedBy = await findExposure(config.agentDir);
    if (exposedBy) log("warn", "agent_dir_exposed", { path: config.agentDir, by: exposedBy.path });
    const logUnwritable = unwritableLog(context);
    const journal = await openJournal(context, logUnwritable);
    if (!journal) return;
    // Start only after the journal is held: another agent may run, and the status file is then its own.
    const status = keepStatus(context);
    stop.addEventListener("abort", () => status.phase = "draining");
    try {
      await enrolAndWork(context, { journal, logUnwritable, status });
      log("info", "site_ended");
    } finally {
      await status.end();
    }
  },
};

interface Parts {
  journal: Journal;
  logUnwritable: LogUnwritable;
  status: StatusKeeper;
}

async function enrolAndWork(context: CommandContext, parts: Parts): Promise<void> {
  const { config, clock, log, random, newId, stop } = context;
  const { status } = parts;
  const ended = new AbortController();
  let identity: Identity;
  try {
    status.phase = "enrolling";
    identity = await identityOrEnrol(context, stop);
  } catch (error) {
    parts.journal.close();
    if (stop.aborted) return;
    throw error;
  }
  status.site = { id: identity.siteId, name: identity.siteName };
  const adbServer = config.adbServer ? Promise.resolve() : superviseAdbServer(context, ended.signal);
  const adb = createAdbClient(config.adbServer ?? OWN_ADB_SERVER);
  const { edgeUrl, agentDir } = config;
  log("info", "site_runs", { site: identity.siteId, edge: edgeUrl });
  const watch = (look: () => Worksite) => status.look = look;
  const { networkPhones } = config;
  const site = { edgeUrl, agentDir, networkPhones, identity, adb, clock, random, newId, log, watch };
  const running = runOnJournal(context, parts, async (journal) => {
    status.phase = stop.aborted ? "draining" : "working";
    try {
      await runWorker({ ...site, journal, agentVersion: AGENT_VERSION }, stop);
    } finally {
      status.look = null;
    }
  });
  await Promise.all([running.finally(() => ended.abort()), adbServer]);
}

/** Runs on the journal until the end. After a failure it opens the journal again and runs as after a crash. */
async function runOnJournal(
  context: CommandContext,
  { journal: first, logUnwritable, status }: Parts,
  run: (journal: Journal) => Promise<void>,
): Promise<void> {
  for (let journal: Journal | null = first; journal !== null;) {
    try {
      return await run(journal);
    } catch (error) {
      if (!(error instanceof JournalWriteError)) throw error;
      status.phase = "journal_not_writable";
      logUnwritable(error);
    } finally {
      journal.close();
    }
    await context.clock.sleep(OPEN_AGAIN_MS, context.stop);
    journal = await openJournal(context, logUnwritable);
  }
}

/** Opens the journal, and waits while it cannot be written. Returns null when the program must end first. */
async function openJournal(context: CommandContext, logUnwritable: LogUnwritable): Promise<Journal | null> {
  const { clock, newId, stop } = context;
  while (!stop.aborted) {
    try {
      return new Journal(journalPath(context), { now: () => clock.now(), newId });
    } catch (error) {
      if (error instanceof JournalLockedError) throw new ExitError("locked", error.message);
      if (error instanceof JournalDamagedError) {
        throw new ExitError("config", `${error.message}; ${MOVE_AWAY}`);
      }
      if (!(error instanceof JournalWriteError)) throw error;
      logUnwritable(error);
      await clock.sleep(OPEN_AGAIN_MS, stop);
    }
  }
  return null;
}

type LogUnwritable = (error: JournalWriteError) => void;

/** Returns a function that logs at most once a minute: a nearly full disk has a little room now and then. */
function unwritableLog(context: CommandContext): LogUnwritable {
  let loggedAt = -Infinity;
  return ({ cause }) => {
    const now = context.clock.monotonic();
    if (now - loggedAt < LOG_AGAIN_MS) return;
    loggedAt = now;
    context.log("error", "journal_not_writable", {
      path: journalPath(context),
      why: errorText(cause),
      meaning: "nothing is taken or tapped without it",
      todo: "make room on the disk, or give this user the right to write there; the site goes on by itself",
    });
  };
}

function journalPath({ config }: CommandContext): string {
  return `${config.agentDir}/journal.db`;
}
