import { MonitorOff, MonitorSmartphone } from "lucide-react";
import { useRef } from "react";
import { formatAge } from "../../text/format.ts";
import { useNow } from "../../ui/use_now.ts";
import { LOOKS } from "./text.ts";
import { useStill } from "./use_still.ts";

interface StillScreenProps {
  look: number;
  /** Milliseconds after which the look is over. */
  until: number;
  /** The phone's name. */
  device: string;
}

const SECOND_MS = 1000;

/** One phone's screen: the newest picture with its age, or the reason why there is none. View only. */
export function StillScreen({ look, until, device }: StillScreenProps) {
  const box = useRef<HTMLDivElement>(null);
  const { url, at, isBlack, problem, isOver } = useStill(look, until, box);
  const now = useNow(SECOND_MS);
  const words = problem ?? (isBlack ? LOOKS.black : null);
  return (
    <div ref={box} className="min-w-0">
      <div className="relative grid aspect-[9/20] w-full place-items-center overflow-hidden rounded-box border border-base-300 bg-sunk">
        {url === null
          ? (
            <p className="grid justify-items-center gap-2 p-4 text-center text-sm text-ink-2">
              {words === null
                ? <MonitorSmartphone className="size-8 text-ink-3 motion-safe:animate-pulse" />
                : <MonitorOff className="size-8 text-ink-3" />}
              {words ?? LOOKS.takingFirst}
            </p>
          )
          : (
            <img
              src={url}
              alt={LOOKS.screenOf(device)}
              draggable={false}
              className={`absolute inset-0 size-full object-contain ${problem ? "opacity-50" : ""}`}
            />
          )}
        {url !== null && words !== null && (
          <p className="absolute inset-x-2 bottom-2 rounded-field bg-base-100 p-2 text-center text-sm">
            {words}
          </p>
        )}
      </div>
      <p className="mt-1 min-h-6 text-sm text-ink-2">{url !== null && !isOver && formatAge(now - at)}</p>
      <span role="status" className="sr-only">{words}</span>
    </div>
  );
}
