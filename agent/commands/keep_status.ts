/** Keeps AGENT_DIR/status.json up to date while the agent runs. */
import { AGENT_VERSION } from "../version.ts";
import { errorText } from "../log.ts";
import { type SiteStatus, type Worksite, writeStatus } from "../site/site_status.ts";
import type { CommandContext } from "./command.ts";

const LOOK_MS = 1_000;
/**
 * A status is written again after this long, because its age shows that the agent lives.
 * While the site works, each status differs from the last one.
 */
const WRITE_AGAIN_MS = 5_000;

export interface StatusKeeper {
  phase: SiteStatus["phase"];
  site: SiteStatus["site"];
  /** Returns the present facts of the working site; null while no site works. */
  look: (() => Worksite) | null;
  /** Writes the last status. */
  end(): Promise<void>;
}

/**
 * Writes the status every few seconds until `end()`, and within a second after the phase changes or a site begins to
 * work. A full disk ends nothing.
 */
export function keepStatus({ clock, config, log }: CommandContext): StatusKeeper {
  const startedAt = clock.now();
  const ended = new AbortController();
  let written: Pick<StatusKeeper, "phase" | "look"> | null = null;
  let writtenAt = -Infinity;
  let isUnwritableLogged = false;
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

  /** Reads the site inside the try too: a journal that has just failed throws. */
  async function write(): Promise<void> {
    try {
      const { phase, look } = keeper;
      const isSame = phase === written?.phase && look === written.look;
      if (isSame && clock.monotonic() - writtenAt < WRITE_AGAIN_MS) return;
      await writeStatus(config.agentDir, { writtenAt: clock.now(), ...present() });
      written = { phase, look };
      writtenAt = clock.monotonic();
      isUnwritableLogged = false;
    } catch (error) {
      if (!isUnwritableLogged) log("warn", "status_not_writable", { why: errorText(error) });
      isUnwritableLogged = true;
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
