import type { WebhookParts } from "../context.ts";
import type { AppKeys } from "../keys/app_key.ts";
import { AddressError, findAddresses, resolveByMachine } from "./find_addresses.ts";
import { openPost, type PostRules } from "./post_once.ts";
import { readTarget } from "./read_target.ts";
import { openWebhookKeys } from "./secrets.ts";

export interface WebhookOptions extends Partial<PostRules> {
  keys: AppKeys;
  wake(): void;
}

/** Opens what sends webhooks; by default to the public Internet alone, with names from the machine's resolver. */
export async function openWebhooks({ keys, wake, ...own }: WebhookOptions): Promise<WebhookParts> {
  const rules = { resolve: resolveByMachine, allowed: [], ...own };
  return {
    keys: await openWebhookKeys(keys),
    post: openPost(rules),
    async check(url) {
      const target = readTarget(url);
      if (target === null) return "address";
      try {
        await findAddresses(target, rules);
        return null;
      } catch (error) {
        if (error instanceof AddressError) return error.reason;
        throw error;
      }
    },
    wake,
  };
}
