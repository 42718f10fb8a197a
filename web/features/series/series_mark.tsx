import { CalendarCheck, CircleCheck, CirclePause } from "lucide-react";
import type { Series } from "shared/series_api.ts";
import { Mark } from "../../ui/mark.tsx";
import { SERIES } from "./text.ts";

/** Whether a repeat goes on, waits for a person, or has ended. */
export function SeriesMark({ series: { hold, endedAt } }: { series: Pick<Series, "hold" | "endedAt"> }) {
  if (endedAt !== null) return <Mark tone="idle" icon={CircleCheck} label={SERIES.ended} />;
  if (hold !== null) return <Mark tone="warn" icon={CirclePause} label={SERIES.waits} />;
  return <Mark tone="live" icon={CalendarCheck} label={SERIES.goesOn} />;
}
