import type { Campaign } from "shared/http_api.ts";
import { useMayDo } from "../../ui/may_do.ts";
import { lazyPart } from "../../ui/lazy_part.tsx";

const TakeBackStrips = lazyPart(async () => (await import("./take_back_strip.tsx")).TakeBackStrips, {
  isQuiet: true,
});

/** Campaigns whose send can still be taken back; the rest of the part loads only when there is one. */
export function WaitingSends({ campaigns }: { campaigns: readonly Campaign[] | undefined }) {
  const waiting = campaigns?.filter(({ takeBack }) => takeBack !== null && takeBack.leftMs > 0) ?? [];
  return useMayDo("sender") && waiting.length > 0 && <TakeBackStrips campaigns={waiting} />;
}
