/** Keeps AGENT_DIR/status.json true while the agent runs. */
import { AGENT_VERSION } from "../version.ts";
import { errorText } from "../log.ts";
import { type SiteStatus, type Worksite, writeStatus } from "../site/site_status.ts";
import type { CommandContext } from "./command.ts";

const LOOK_MS = 1_000;
/** A status is written again after this long: its age says that the agent lives, and at work no two are the same. */
const WRITE_AGAIN_MS = 5_000;

export interface StatusKeeper {
  phase: SiteStatus["phase"];
  site: SiteStatus["site"];
  /** Answers what the working site knows now, or null while none works. */
  look: (() => Worksite) | null;
  /** Writes the last word. */
  end(): Promise<void>;
}

/**
 * Writes the status every few seconds until `end()`, and within a second when the phase changes or a site begins to
 * work; a disk that is full ends nothing.
 */
export function keepStatus({ clock, config, log }: CommandContext): StatusKeeper {
  const startedAt = clock.now();
  const ended = new AbortController();
  let written: Pick<StatusKeeper, "phase" | "look"> | null = null;
  let writtenAt = -Infinity;
  let isToldUnwritable = false;
  const keeper: StatusKeeper = {
    phase: "starting",
    site: null,
    look: null,
    async end() {
      keeper.phase = "ended";
      keeper.look = null;
      ended.abort();
      await running;
      await write();
    },
  };
  const running = keep();
  return keeper;

  async function keep(): Promise<void> {
    while (!ended.signal.aborted) {
      await write();
      await clock.sleep(LOOK_MS, ended.signal);
    }
  }

  /** What the site says is read inside the try too: a journal that has just failed answers nothing. */
  async function write(): Promise<void> {
    try {
      const { phase, look } = keeper;
      const isSame = phase === written?.phase && look === written.look;
      if (isSame && clock.monotonic() - writtenAt < WRITE_AGAIN_MS) return;
      await writeStatus(config.agentDir, { writtenAt: clock.now(), ...present() });
      written = { phase, look };
      writtenAt = clock.monotonic();
      isToldUnwritable = false;
    } catch (error) {
      if (!isToldUnwritable) log("warn", "status_not_writable", { why: errorText(error) });
      isToldUnwritable = true;
    }
  }

  function present(): Omit<SiteStatus, "writtenAt"> {
    return {
      startedAt,
      pid: Deno.pid,
      version: AGENT_VERSION,
      edgeUrl: config.edgeUrl,
      phase: keeper.phase,
      site: keeper.site,
      worksite: keeper.look?.() ?? null,
    };
  }
}
