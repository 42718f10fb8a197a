import { ExitError } from "../exit_error.ts";
import { enroll, readIdentity } from "../identity.ts";
import type { Command } from "./command.ts";

export const enrollCommand: Command = {
  help: `enroll <join token>

Enrols this site with the one-time token an administrator made, and keeps its key in AGENT_DIR.
Example: EDGE_URL=https://shigur.example deno task agent enroll 3Fq…`,

  async run({ args, config, print, stop }) {
    const [joinToken] = args;
    if (!joinToken) throw new ExitError("usage", "Cannot enrol: give the join token");
    await Deno.mkdir(config.agentDir, { recursive: true });
    const known = await readIdentity(config.agentDir);
    if (known) throw new ExitError("usage", `Cannot enrol: this is site ${known.siteId} already`);
    const { edgeUrl, agentDir } = config;
    const identity = await enroll({ edgeUrl, agentDir, joinToken, signal: stop });
    print(`Enrolled as site ${identity.siteId} "${identity.siteName}"`);
  },
};
