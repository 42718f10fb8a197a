/** Endless work for a watched product: campaigns in sequence, and a person who reads the screens. */
import { Caller, makeReadyCampaign } from "../../e2e/caller.ts";
import type { Product } from "../../e2e/product.ts";
import { pause } from "../../e2e/wait.ts";
import { clientWithQuota } from "../house.ts";
import { untilSettled } from "./until_settled.ts";

/** Contacts per phone in a campaign: several campaigns end during a soak, and no phone waits for the next. */
const CONTACTS_PER_PHONE = 20;
/** Twice the time of a whole campaign with a few seconds between two messages of a phone. */
const SETTLED_WITHIN_MS = 300_000;
/** Poll interval of an open screen that receives no events (the web client's safety net). */
const LOOK_EVERY_MS = 5_000;
const LOOKS = ["/api/auth/me", "/api/campaigns"];
const FIRST_NUMBER = 41_000_001;

export interface Work {
  /** Number of contacts given to the product so far, all different people. */
  contacts(): number;
  /** Aborts with the reason when a call was refused; no campaign is sent after that. */
  failed: AbortSignal;
  /**
   * Starts no further campaigns, and returns when the started ones are settled.
   *
   * @throws {Error} when that takes too long
   */
  end(giveUp: AbortSignal): Promise<void>;
}

/** Starts the work; `messages` is the highest possible number of messages. */
export async function beginWork(product: Product, phones: number, messages: number): Promise<Work> {
  const size = CONTACTS_PER_PHONE * phones;
  const client = await clientWithQuota(product, messages);
  const admin = await Caller.login(product.url, product.logins().find(({ role }) => role === "admin")!);
  const ending = new AbortController();
  const failing = new AbortController();
  let contacts = 0;
  const running = Promise.all([keepSending(), keepLooking()]).catch((error) => failing.abort(error));
  return {
    contacts: () => contacts,
    failed: failing.signal,
    async end(giveUp) {
      ending.abort();
      await running;
      failing.signal.throwIfAborted();
      await untilSettled({
        openRows: () => openRows(product),
        giveUp,
        withinMs: SETTLED_WITHIN_MS,
        clock: () => performance.now(),
        pause,
      });
    },
  };

  async function keepSending(): Promise<void> {
    while (!ending.signal.aborted) {
      if (openRows(product) < size / 2 && contacts + size <= messages) {
        const first = FIRST_NUMBER + contacts;
        const id = await makeReadyCampaign(client, `סבב ${contacts / size + 1}`, size, { first });
        await client.read("POST", `/api/campaigns/${id}/send`);
        contacts += size;
      }
      await pause(1_000);
    }
  }

  async function keepLooking(): Promise<void> {
    while (!ending.signal.aborted) {
      for (const path of LOOKS) await client.read("GET", path);
      await admin.read("GET", "/api/devices/adb-status");
      await pause(LOOK_EVERY_MS);
    }
  }
}

function openRows(product: Product): number {
  const sql = "SELECT coalesce(sum(queued_count + leased_count), 0) AS n FROM campaigns";
  return product.query<{ n: number }>(sql)[0]!.n;
}
