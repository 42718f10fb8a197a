import { useQuery } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { useId } from "react";
import { planMoment } from "shared/hebrew_date.ts";
import { DayField } from "../../ui/day_field.tsx";
import { forecastQuery } from "./get_forecast.ts";
import { momentOf, type PlanChoice } from "./plan_choice.ts";
import { forecastSentence, goodHourSentence, PLAN, writeHour } from "./text/plan.ts";

const STEP_MINUTES = 30;
const HOURS = Array.from({ length: (24 * 60) / STEP_MINUTES }, (_, no) => no * STEP_MINUTES);

interface PlanFieldsProps {
  campaignId: number;
  choice: PlanChoice;
  onChange: (choice: PlanChoice) => void;
  /** The present time, ms. */
  now: number;
  /** A problem of the moment, once the person has tried to go on. */
  problem: string | undefined;
}

/** A day and an hour of Israel's clock, with the weekday, the Hebrew date, and what comes of it. */
export function PlanFields({ campaignId, choice, onChange, now, problem }: PlanFieldsProps) {
  const id = useId();
  const { at } = momentOf(choice, now);
  // A time that is planned already may lie between two steps.
  const hours = HOURS.includes(choice.minutes) ? HOURS : [...HOURS, choice.minutes].toSorted((a, b) => a - b);
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
        <DayField
          label={PLAN.day}
          isAhead
          value={choice.day}
          error={problem}
          onChange={(day) => onChange({ ...choice, day })}
        />
        <div>
          <label htmlFor={id} className="mb-1 block text-sm font-semibold">{PLAN.hour}</label>
          <select
            id={id}
            className="select w-full"
            aria-describedby={`${id}-d`}
            value={choice.minutes}
            onChange={(event) => onChange({ ...choice, minutes: Number(event.currentTarget.value) })}
          >
            {hours.map((minutes) => <option key={minutes} value={minutes}>{writeHour(minutes)}</option>)}
          </select>
          <p id={`${id}-d`} className="mt-1 text-xs text-ink-3">{PLAN.hourHint}</p>
        </div>
      </div>
      {at !== undefined && <Outcome campaignId={campaignId} at={at} choice={choice} onChange={onChange} />}
    </div>
  );
}

function Outcome(
  { campaignId, at, choice, onChange }: Pick<PlanFieldsProps, "campaignId" | "choice" | "onChange"> & {
    at: number;
  },
) {
  const forecast = useQuery(forecastQuery(campaignId, at));
  const good = forecast.data?.goodHour;
  return (
    <div className="notice items-start">
      <CalendarClock />
      <div className="grid min-w-0 gap-1.5" role="status">
        <b>{planMoment(at)}</b>
        <p>
          {forecast.data
            ? forecastSentence(forecast.data, at)
            : forecast.isError
            ? PLAN.noForecast
            : PLAN.loading}
        </p>
        {good && good.hour !== Math.floor(choice.minutes / 60) && (
          <p className="text-ink-2">
            {goodHourSentence(good)}{" "}
            <button
              type="button"
              className="link"
              onClick={() => onChange({ ...choice, minutes: good.hour * 60 })}
            >
              {PLAN.chooseGood(good.hour)}
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
