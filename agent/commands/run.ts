import { createAdbClient } from "../adb/client.ts";
import { OWN_ADB_SERVER, superviseAdbServer } from "../adb_server.ts";
import { identityOrEnrol } from "../enrol_itself.ts";
import { ExitError } from "../exit_error.ts";
import { Journal, JournalLockedError } from "../journal.ts";
import { runWorker } from "../worker.ts";
import type { Command, CommandContext } from "./command.ts";

export const AGENT_VERSION = "1.0.0";

export const runCommand: Command = {
  help: `run

Runs this site: takes work from the edge and sends it with the phones of ADB_SERVER, or of an adb server of its own.
Ends on SIGTERM or Ctrl+C once the taps on their way are seen through; a second signal ends it at once.
Example: EDGE_URL=https://shigur.example deno task agent run`,

  async run(context) {
    const { config, clock, log, random, newId, stop } = context;
    await Deno.mkdir(config.agentDir, { recursive: true, mode: 0o700 });
    const journal = openJournal(context);
    const ended = new AbortController();
    let identity;
    try {
      identity = await identityOrEnrol(context, stop);
    } catch (error) {
      journal.close();
      if (stop.aborted) return;
      throw error;
    }
    const adbServer = config.adbServer ? Promise.resolve() : superviseAdbServer(context, ended.signal);
    const adb = createAdbClient(config.adbServer ?? OWN_ADB_SERVER);
    const { edgeUrl, agentDir } = config;
    log("info", "site_runs", { site: identity.siteId, edge: edgeUrl });
    const running = runWorker(
      { edgeUrl, agentDir, identity, journal, adb, clock, random, newId, log, agentVersion: AGENT_VERSION },
      stop,
    ).finally(() => ended.abort());
    await Promise.all([running, adbServer]);
    journal.close();
    log("info", "site_ended");
  },
};

function openJournal({ config, clock, newId }: CommandContext): Journal {
  try {
    return new Journal(`${config.agentDir}/journal.db`, { now: () => clock.now(), newId });
  } catch (error) {
    if (error instanceof JournalLockedError) throw new ExitError("locked", error.message);
    throw error;
  }
}
