import { CirclePause, Play, Square, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { planMoment } from "shared/hebrew_date.ts";
import type { OneSeries, SeriesRun } from "shared/series_api.ts";
import { writeDay } from "../../text/day.ts";
import { formatNumber } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { Num } from "../../ui/num.tsx";
import { useChangeSeries } from "./change_series.ts";
import { SeriesMark } from "./series_mark.tsx";
import { HOLDS, listsSentence, ruleSentence, RUN_STATES, SERIES } from "./text.ts";

interface SeriesSheetProps {
  series: OneSeries;
  /** Returns the link to the campaign of a run. */
  linkTo: (campaign: NonNullable<SeriesRun["campaign"]>) => ReactNode;
}

/** One repeat on one screen: what it sends, when, to which lists, and all its runs. */
export function SeriesSheet({ series, linkTo }: SeriesSheetProps) {
  const { name, message, lists, lastDay, nextAt, hold, endedAt, runs } = series;
  return (
    <>
      <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-3">
            <h1 className="text-2xl font-extrabold tracking-tight wrap-anywhere sm:text-3xl">{name}</h1>
            <SeriesMark series={series} />
          </div>
          {nextAt !== null && <p className="mt-1.5 text-ink-2">{SERIES.next(planMoment(nextAt))}</p>}
        </div>
        {endedAt === null && <Acts series={series} />}
      </div>
      {hold !== null && endedAt === null && (
        <p className="notice tone-warn mb-4" role="status">
          <TriangleAlert />
          <span>{HOLDS[hold]}</span>
        </p>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
        <section className="sheet min-w-0 p-5">
          <dl className="grid gap-3">
            <Fact label={SERIES.days}>
              {ruleSentence(series)}. {lastDay === null ? SERIES.noEnd : SERIES.until(writeDay(lastDay))}
            </Fact>
            <Fact label={SERIES.lists}>{listsSentence(lists)}</Fact>
            <Fact label={SERIES.message}>
              <span className="whitespace-pre-wrap wrap-anywhere">{message}</span>
            </Fact>
          </dl>
        </section>
        <section className="sheet min-w-0 overflow-x-auto" aria-labelledby="runs-h">
          <h2 id="runs-h" className="px-5 py-4 text-lg font-bold">{SERIES.runs}</h2>
          {runs.length === 0
            ? <p className="px-5 pb-5 text-ink-2">{SERIES.noRuns}</p>
            : (
              <table className="table">
                <thead>
                  <tr>
                    <th>{SERIES.columns.day}</th>
                    <th>{SERIES.columns.state}</th>
                    <th>{SERIES.columns.campaign}</th>
                    <th>{SERIES.columns.sent}</th>
                  </tr>
                </thead>
                <tbody>
                  {runs.map(({ day, at, state, reason, campaign }) => (
                    <tr key={day}>
                      <td>{planMoment(at)}</td>
                      <td>
                        {RUN_STATES[state]}
                        {state === "run_refused" && reason && (
                          <span className="block text-xs text-ink-2">{reason}</span>
                        )}
                      </td>
                      <td>{campaign && linkTo(campaign)}</td>
                      <td>
                        {campaign && (
                          <Num>{`${formatNumber(campaign.sent)} / ${formatNumber(campaign.total)}`}</Num>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
        </section>
      </div>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="eyebrow">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Acts({ series: { id, name, hold } }: { series: OneSeries }) {
  const [isEnding, setEnding] = useState(false);
  const change = useChangeSeries(id, () => setEnding(false));
  const busyWith = change.isPending ? change.variables : undefined;
  return (
    <div className="flex flex-wrap gap-2">
      {hold === null
        ? (
          <BusyButton
            className="btn-secondary"
            busy={busyWith === "stop"}
            busyText={SERIES.stopping}
            onClick={() => change.mutate("stop")}
          >
            <CirclePause className="size-4" />
            {SERIES.stop}
          </BusyButton>
        )
        : (
          <BusyButton
            className="btn-primary"
            busy={busyWith === "continue"}
            busyText={SERIES.continuing}
            onClick={() => change.mutate("continue")}
          >
            <Play className="size-4" />
            {SERIES.continue}
          </BusyButton>
        )}
      <button
        type="button"
        className="btn btn-ghost border-base-300 tone-bad text-tone"
        aria-haspopup="dialog"
        onClick={() => setEnding(true)}
      >
        <Square className="size-4" />
        {SERIES.end}
      </button>
      {isEnding && (
        <ConfirmDialog
          title={SERIES.endTitle(name)}
          confirm={SERIES.end}
          busyText={SERIES.ending}
          busy={busyWith === "end"}
          leave={SERIES.keep}
          onConfirm={() => change.mutate("end")}
          onClose={() => setEnding(false)}
        >
          {SERIES.endBody}
        </ConfirmDialog>
      )}
    </div>
  );
}
