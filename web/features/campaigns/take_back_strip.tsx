import { Undo2 } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { focusHeading, isFocusLost } from "../../ui/lost_focus.ts";
import { Num } from "../../ui/num.tsx";
import { useTakeBack } from "./take_back.ts";
import { endOfWait } from "./take_back_clock.ts";
import { TAKE_BACK } from "./text/review.ts";

/** Short enough that no second is shown for longer than a second. */
const STEP_MS = 200;

type Waiting = Pick<Campaign, "id" | "name" | "counts" | "takeBack">;

/** The seconds after a send in which it can be taken back, one line for each campaign that waits. */
export function TakeBackStrips({ campaigns }: { campaigns: readonly Waiting[] }) {
  const now = usePageClock(STEP_MS);
  return campaigns.map((campaign) => {
    const end = endOfWait(campaign, now);
    const leftMs = end === null ? 0 : end - now;
    return leftMs > 0 && <Strip key={campaign.id} campaign={campaign} leftMs={leftMs} />;
  });
}

function Strip({ campaign, leftMs }: { campaign: Waiting; leftMs: number }) {
  const takeBack = useTakeBack(campaign);
  const region = useRef<HTMLElement>(null);
  const seconds = Math.ceil(leftMs / 1000);
  useEffect(() => {
    // The button that sent is gone. The line takes the focus, and not its button: a second Enter must not press it.
    if (isFocusLost()) region.current?.focus();
  }, []);
  useLayoutEffect(() => {
    const line = region.current;
    // The line goes together with the focus on it, after it was used and when its time is over.
    return () => {
      if (line?.contains(document.activeElement)) focusHeading();
    };
  }, []);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={TAKE_BACK.label(campaign.name)}
      className="notice tone-warn mb-4 items-center"
    >
      <Undo2 />
      <div className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-2">
        <div className="min-w-40 grow wrap-anywhere" role="status">
          <b>{TAKE_BACK.lead(campaign.name)}</b>
        </div>
        <span className="inline-flex min-w-16 items-baseline justify-end gap-1 whitespace-nowrap" aria-hidden>
          <b className="text-2xl font-extrabold">
            <Num>{seconds}</Num>
          </b>
          <span className="text-sm">{TAKE_BACK.seconds(seconds)}</span>
        </span>
        <BusyButton
          className="btn-primary"
          busy={takeBack.isPending}
          busyText={TAKE_BACK.acting}
          onClick={() => takeBack.mutate()}
        >
          {TAKE_BACK.act}
        </BusyButton>
      </div>
    </section>
  );
}

/** Returns `performance.now()`, read again every `everyMs`. */
function usePageClock(everyMs: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
