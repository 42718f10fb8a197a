/** A site with a join token beside its data enrols itself, by the same request as any other. */
import { backoffMs } from "../time/backoff.ts";
import type { Clock } from "../time/clock.ts";
import type { AgentConfig } from "../config.ts";
import { lostByError } from "./edge_lost.ts";
import { ExitError } from "../exit_error.ts";
import { enroll, type Identity, readIdentity } from "./identity.ts";
import type { Log } from "../log.ts";

export interface EnrolOptions {
  config: AgentConfig;
  clock: Clock;
  random: () => number;
  log: Log;
}

/**
 * Returns this site's identity. If it has none, enrols with the token file of the config. Waits while the edge is not
 * up.
 *
 * @throws {ExitError} when the site was never enrolled and no token is there, or the edge refuses the token
 */
export async function identityOrEnrol(options: EnrolOptions, signal: AbortSignal): Promise<Identity> {
  const { config, clock, log } = options;
  const known = await readIdentity(config.agentDir);
  if (known) return known;
  const token = await readJoinToken(config.joinTokenFiles);
  if (!token) {
    throw new ExitError("config", `Cannot run: this site is not enrolled; run "enroll <join token>" first`);
  }
  for (let tries = 0;; tries++) {
    try {
      const { edgeUrl, agentDir } = config;
      const identity = await enroll({ edgeUrl, agentDir, joinToken: token.text, signal });
      await Deno.remove(token.path).catch(() => {});
      log("info", "enrolled", { site: identity.siteId });
      return identity;
    } catch (error) {
      if (error instanceof ExitError || signal.aborted) throw error;
      log("warn", "edge_not_reached", { ...lostByError(error) });
      await clock.sleep(backoffMs(tries, options.random), signal);
    }
  }
}

async function readJoinToken(paths: string[]): Promise<{ path: string; text: string } | null> {
  for (const path of paths) {
    const text = await Deno.readTextFile(path).catch(() => "");
    if (text.trim() !== "") return { path, text };
  }
  return null;
}
