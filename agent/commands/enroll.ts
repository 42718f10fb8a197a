import { ExitError } from "../exit_error.ts";
import { enroll, readIdentity } from "../edge/identity.ts";
import { errorText } from "../log.ts";
import type { Command } from "./command.ts";
import { orForbidden } from "./forbidden.ts";
import { readLine } from "./read_input.ts";

export const enrollCommand: Command = {
  maxArgs: 1,

  async run({ args: [given], config, print, stop }) {
    const { edgeUrl, agentDir } = config;
    if (given === undefined) throw new ExitError("usage", "Cannot enrol: add the join token");
    const joinToken = given === "-" ? await readLine(stop) : given;
    await orForbidden(agentDir, () => Deno.mkdir(agentDir, { recursive: true, mode: 0o700 }));
    const known = await orForbidden(agentDir, () => readIdentity(agentDir));
    if (known) throw new ExitError("usage", `Cannot enrol: this machine is already site ${known.siteId}`);
    try {
      const identity = await enroll({ edgeUrl, agentDir, joinToken, signal: stop });
      print(`Enrolled as site ${identity.siteId} "${identity.siteName}"`);
    } catch (error) {
      if (error instanceof ExitError) throw error;
      throw new ExitError("unavailable", `Cannot enrol: ${edgeUrl} cannot be reached (${errorText(error)})`);
    }
  },
};
