import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, Repeat } from "lucide-react";
import { Link } from "react-router-dom";
import { planMoment } from "shared/hebrew_date.ts";
import type { Series } from "shared/series_api.ts";
import { SERIES_PATHS } from "../../series_paths.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { allSeriesQuery } from "./get_series.ts";
import { SeriesMark } from "./series_mark.tsx";
import { HOLDS, ruleSentence, SERIES } from "./text.ts";

/** All repeats of a client. */
export function SeriesList() {
  const all = useQuery(allSeriesQuery);
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="series-h">
      <h2 id="series-h" className="border-b border-base-300 px-5 py-4 text-lg font-bold">{SERIES.all}</h2>
      {all.data && all.data.length > 0
        ? (
          <ul className="divide-y divide-base-300">
            {all.data.map((series) => <Row key={series.id} series={series} />)}
          </ul>
        )
        : (
          <div className="p-5">
            {all.data
              ? <EmptyBox icon={Repeat} title={SERIES.empty} body={SERIES.emptyMeaning} />
              : all.isError
              ? <FailedBox title={SERIES.failed} error={all.error} onRetry={all.refetch} />
              : <Skeleton text={SERIES.loading} />}
          </div>
        )}
    </section>
  );
}

function Row({ series }: { series: Series }) {
  const { id, name, hold, nextAt } = series;
  return (
    <li>
      <Link to={SERIES_PATHS.one(id)} className="flex items-center gap-3 px-5 py-3.5 hover:bg-base-200">
        <span className="min-w-0 grow">
          <span className="flex flex-wrap items-center gap-2">
            <bdi className="font-semibold wrap-anywhere">{name}</bdi>
            <SeriesMark series={series} />
          </span>
          <span className="block text-sm text-ink-2">{ruleSentence(series)}</span>
          {nextAt !== null && (
            <span className="block text-sm text-ink-2">{SERIES.next(planMoment(nextAt))}</span>
          )}
          {hold !== null && series.endedAt === null && (
            <span className="block text-sm text-ink-2">{HOLDS[hold]}</span>
          )}
        </span>
        <ChevronLeft className="size-4 shrink-0 text-ink-3" />
      </Link>
    </li>
  );
}
