/** Work without end for a product that is watched: campaigns one after another, and somebody who looks. */
import { Caller, makeReadyCampaign, pause, type Product } from "../../e2e/product.ts";
import { clientWithQuota } from "../house.ts";
import { untilSettled } from "./until_settled.ts";

/** Of each phone in a campaign: several campaigns end in a soak, and no phone waits for the next. */
const CONTACTS_PER_PHONE = 20;
/** Twice what a whole campaign of phones with a few seconds between two messages takes. */
const SETTLED_WITHIN_MS = 300_000;
/** How often an open screen that hears no event asks (the safety net of the web client). */
const LOOK_EVERY_MS = 5_000;
const LOOKS = ["/api/auth/me", "/api/campaigns"];
const FIRST_NUMBER = 41_000_001;

export interface Work {
  /** Contacts given to the product so far, all of them different people. */
  contacts(): number;
  /** Aborts with the reason when a call was refused: nothing is sent from then on. */
  failed: AbortSignal;
  /** Gives no more campaigns, and returns when what was begun is settled. @throws Error when it isn't in time */
  end(giveUp: AbortSignal): Promise<void>;
}

/** Begins; `messages` is the highest number that the work may come to. */
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
