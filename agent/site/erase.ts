/** Erases people's numbers from the site's journal when the edge asks. The edge never sends the numbers themselves. */
import { createHmac } from "node:crypto";
import type { EdgeFrameOf } from "shared/agent_protocol.ts";
import { errorText } from "../log.ts";
import type { Site } from "./site.ts";

type EraseItem = EdgeFrameOf<"erase">["items"][number];

/** A month of a big site takes a second per number, and the site sends nothing in that time. */
const AT_ONCE_MS = 5_000;

/** Erases and reports numbers. Reports nothing for numbers at work or past the time limit: the edge asks again. */
export function reportErased(
  site: Pick<Site, "journal" | "send" | "log" | "clock">,
  items: readonly EraseItem[],
): void {
  const until = site.clock.monotonic() + AT_ONCE_MS;
  const erased = items.flatMap(({ id, key, hash }) => {
    if (site.clock.monotonic() >= until) return [];
    try {
      const removed = site.journal.erase((phone) => hashOf(phone, key) === hash);
      return removed === null ? [] : { id, removed };
    } catch (error) {
      // Possibly a full disk. A journal that cannot be written at all ends the worker by its own signal.
      site.log("warn", "journal_not_erased", { why: errorText(error) });
      return [];
    }
  });
  if (erased.length === 0) return;
  site.send({ type: "erased", items: erased });
  site.log("info", "numbers_erased", { numbers: erased.length });
}

/** Returns the HMAC-SHA-256 in hex, as the edge computes it (edge/privacy/erase_sites.ts). */
function hashOf(phone: string, key: string): string {
  return createHmac("sha256", key).update(phone).digest("hex");
}
