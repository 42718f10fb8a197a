import { errorText } from "../log.ts";
import { discoverAccounts, type FoundAccount } from "../phone/discover_accounts.ts";
import type { Command, CommandContext } from "./command.ts";
import { phoneAt, withAdb } from "./with_adb.ts";

export const accountsCommand: Command = {
  options: { json: { type: "boolean" } },

  async run(context) {
    const { options, log, print } = context;
    const { found, unheard } = await findAccounts(context);
    if (options.json) print(JSON.stringify(found));
    else for (const account of found) print(lineOf(account));
    if (found.length === 0 && !options.json) print("No messaging app was found.");
    for (const { address, why } of unheard) log("warn", "device_not_asked", { address, why });
  },
};

interface Found {
  found: FoundAccount[];
  /** Phones that did not answer. The others are still listed. */
  unheard: { address: string; why: string }[];
}

async function findAccounts(context: CommandContext): Promise<Found> {
  return await withAdb(context, async (adb) => {
    const result: Found = { found: [], unheard: [] };
    for (const { serial: address, state } of await adb.devices(context.stop)) {
      if (state !== "device") continue;
      try {
        const phone = await phoneAt(context, adb, address);
        const accounts = await discoverAccounts(phone, context.stop);
        // One phone may be on a cable and on the network at the same time.
        const isNew = (one: FoundAccount) => !result.found.some(({ account }) => account === one.account);
        result.found.push(...accounts.filter(isNew));
      } catch (error) {
        if (context.stop.aborted) throw error;
        result.unheard.push({ address, why: errorText(error) });
      }
    }
    return result;
  });
}

function lineOf({ account, appVersion, firstInstalledAt }: FoundAccount): string {
  const installed = firstInstalledAt === null ? "" : new Date(firstInstalledAt).toISOString().slice(0, 10);
  return [account, appVersion ?? "", installed].join("\t");
}
