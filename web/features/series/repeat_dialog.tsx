import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Link } from "react-router-dom";
import { hebrewNumber, planMoment } from "shared/hebrew_date.ts";
import { dayAfter, israelDay, israelInstant } from "shared/israel_time.ts";
import type { OneSeries } from "shared/series_api.ts";
import { HEBREW_MONTHS, type HebrewMonth, type RepeatRule, runDays } from "shared/series_days.ts";
import { LIST_PATHS } from "../../list_paths.ts";
import { readDay, writeDay } from "../../text/day.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { DayField } from "../../ui/day_field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useNow } from "../../ui/use_now.ts";
import { useCreateSeries } from "./change_series.ts";
import { ownListsQuery } from "./get_series.ts";
import { MONTHS, SERIES, WEEKDAYS, writeTime } from "./text.ts";

const CLOCK_STEP_MS = 60_000;
const STEP_MINUTES = 30;
const HOURS = Array.from({ length: (24 * 60) / STEP_MINUTES }, (_, no) => no * STEP_MINUTES);
/** So many of the next days are shown. */
const SHOWN = 4;
/** Every rule has a run within two Hebrew years. */
const SEARCHED_DAYS = 800;

type Kind = RepeatRule["kind"];

interface RepeatDialogProps {
  campaign: { id: number; name: string };
  onCreated: (series: OneSeries) => void;
  onClose: () => void;
}

/** Asks for lists, days and an hour, shows the next days, and creates the repeat. */
export function RepeatDialog({ campaign, onCreated, onClose }: RepeatDialogProps) {
  const id = useId();
  const now = useNow(CLOCK_STEP_MS);
  const today = israelDay(now);
  const lists = useQuery(ownListsQuery);
  const create = useCreateSeries(onCreated);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [except, setExcept] = useState<readonly number[]>([]);
  const [leavesOut, setLeavesOut] = useState(false);
  const [kind, setKind] = useState<Kind>("weekly");
  const [weekdays, setWeekdays] = useState<readonly number[]>([0]);
  const [day, setDay] = useState(1);
  const [month, setMonth] = useState<HebrewMonth>("Tishri");
  const [minutes, setMinutes] = useState(9 * 60);
  const [first, setFirst] = useState(() => writeDay(dayAfter(today, 1)));
  const [last, setLast] = useState("");
  const [hasTried, setTried] = useState(false);

  const rule = ruleOf({ kind, weekdays, day, month });
  const firstDay = readDay(first, today);
  const lastDay = last.trim() === "" ? null : readDay(last, today);
  const problems = {
    lists: chosen.length === 0 ? SERIES.missingLists : undefined,
    weekdays: kind === "weekly" && weekdays.length === 0 ? SERIES.missingWeekday : undefined,
    first: firstDay === undefined ? SERIES.missingDay : undefined,
    last: lastDay === undefined
      ? SERIES.missingDay
      : lastDay !== null && firstDay !== undefined && lastDay < firstDay
      ? SERIES.wrongOrder
      : undefined,
  };
  const isFine = Object.values(problems).every((problem) => problem === undefined);

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!isFine || create.isPending) return;
    create.mutate({
      campaign: campaign.id,
      choice: {
        lists: [...chosen],
        except: { lists: except.filter((list) => !chosen.includes(list)), campaigns: [] },
      },
      rule,
      minutes,
      firstDay: firstDay!,
      lastDay: lastDay!,
      leaveOutEmpty: leavesOut,
    });
  }

  return (
    <Dialog title={SERIES.dialogTitle(campaign.name)} onClose={onClose}>
      <p className="mb-4 text-sm text-ink-2">{SERIES.dialogMeaning}</p>
      {lists.data === undefined ? <Loading text={SERIES.loading} /> : lists.data.items.length === 0
        ? (
          <>
            <p className="text-sm">{SERIES.noLists}</p>
            <DialogFoot onLeave={onClose}>
              <Link to={LIST_PATHS.all} className="btn btn-primary">{SERIES.toLists}</Link>
            </DialogFoot>
          </>
        )
        : (
          <form className="grid gap-4" noValidate onSubmit={submit}>
            <fieldset className="grid gap-1">
              <legend className="mb-1 text-sm font-semibold">{SERIES.fromLists}</legend>
              <div className="grid max-h-40 gap-1 overflow-y-auto">
                {lists.data.items.map(({ id: list, name }) => (
                  <label key={list} className="flex items-center gap-2 py-1">
                    <input
                      type="checkbox"
                      className="checkbox checkbox-sm"
                      checked={chosen.includes(list)}
                      onChange={() =>
                        setChosen(toggled(chosen, list))}
                    />
                    <bdi className="wrap-anywhere">{name}</bdi>
                  </label>
                ))}
              </div>
              <Problem text={hasTried ? problems.lists : undefined} />
            </fieldset>
            {chosen.length > 0 && lists.data.items.some(({ id: list }) => !chosen.includes(list)) && (
              <details>
                <summary className="cursor-pointer text-sm font-semibold">{SERIES.exceptLists}</summary>
                <div className="mt-1 grid max-h-40 gap-1 overflow-y-auto">
                  {lists.data.items.filter(({ id: list }) => !chosen.includes(list)).map((
                    { id: list, name },
                  ) => (
                    <label key={list} className="flex items-center gap-2 py-1">
                      <input
                        type="checkbox"
                        className="checkbox checkbox-sm"
                        checked={except.includes(list)}
                        onChange={() => setExcept(toggled(except, list))}
                      />
                      <bdi className="wrap-anywhere">{name}</bdi>
                    </label>
                  ))}
                </div>
              </details>
            )}
            <label className="flex items-center gap-2 py-1 text-sm">
              <input
                type="checkbox"
                className="checkbox checkbox-sm"
                checked={leavesOut}
                onChange={(event) => setLeavesOut(event.currentTarget.checked)}
              />
              {SERIES.leaveOut}
            </label>
            <div className="grid gap-1">
              <span className="text-sm font-semibold">{SERIES.howOften}</span>
              <Segments
                label={SERIES.howOften}
                wraps
                options={(Object.keys(SERIES.kinds) as Kind[]).map((value) => ({
                  value,
                  label: SERIES.kinds[value],
                }))}
                chosen={kind}
                onChoose={setKind}
              />
            </div>
            {kind === "weekly"
              ? (
                <fieldset>
                  <legend className="mb-1 text-sm font-semibold">{SERIES.weekdays}</legend>
                  <div className="flex flex-wrap gap-x-4 gap-y-1">
                    {WEEKDAYS.map((name, weekday) => (
                      <label key={name} className="flex items-center gap-2 py-1">
                        <input
                          type="checkbox"
                          className="checkbox checkbox-sm"
                          checked={weekdays.includes(weekday)}
                          onChange={() =>
                            setWeekdays(toggled(weekdays, weekday))}
                        />
                        {name}
                      </label>
                    ))}
                  </div>
                  <Problem text={hasTried ? problems.weekdays : undefined} />
                </fieldset>
              )
              : (
                <div className="grid grid-cols-2 gap-3">
                  <Choice
                    label={SERIES.dayOfMonth}
                    value={day}
                    options={Array.from({ length: kind === "monthly" ? 31 : 30 }, (_, no) => no + 1)}
                    nameOf={(one) => kind === "monthly" ? String(one) : hebrewNumber(one)}
                    onChoose={setDay}
                    hint={SERIES.lastIfShort}
                  />
                  {kind === "hebrew_yearly" && (
                    <Choice
                      label={SERIES.month}
                      value={HEBREW_MONTHS.indexOf(month)}
                      options={HEBREW_MONTHS.map((_, no) => no)}
                      nameOf={(no) => MONTHS[HEBREW_MONTHS[no]!]}
                      onChoose={(no) => setMonth(HEBREW_MONTHS[no]!)}
                    />
                  )}
                </div>
              )}
            <div className="grid gap-3 sm:grid-cols-3">
              <Choice
                label={SERIES.hour}
                value={minutes}
                options={HOURS}
                nameOf={writeTime}
                onChoose={setMinutes}
              />
              <DayField
                label={SERIES.firstDay}
                isAhead
                value={first}
                error={hasTried ? problems.first : undefined}
                onChange={setFirst}
              />
              <DayField
                label={SERIES.lastDay}
                hint={SERIES.lastDayHint}
                isAhead
                value={last}
                error={hasTried ? problems.last : undefined}
                onChange={setLast}
              />
            </div>
            {firstDay !== undefined && lastDay !== undefined && (
              <section className="rounded-field bg-base-200 p-3 text-sm" aria-labelledby={`${id}-next`}>
                <h3 id={`${id}-next`} className="eyebrow mb-1">{SERIES.upcoming}</h3>
                <Upcoming rule={rule} minutes={minutes} first={firstDay} last={lastDay} now={now} />
              </section>
            )}
            <DialogFoot className="" leave={SERIES.keep} onLeave={onClose}>
              <BusyButton
                type="submit"
                className="btn-primary grow"
                busy={create.isPending}
                busyText={SERIES.creating}
              >
                {SERIES.create}
              </BusyButton>
            </DialogFoot>
          </form>
        )}
    </Dialog>
  );
}

function Problem({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p role="alert" className="tone-bad mt-1 flex items-center gap-1.5 text-sm text-tone">
      <CircleAlert className="size-4" />
      {text}
    </p>
  );
}

interface ChoiceProps {
  label: string;
  value: number;
  options: readonly number[];
  nameOf: (value: number) => string;
  onChoose: (value: number) => void;
  hint?: string;
}

function Choice({ label, value, options, nameOf, onChoose, hint }: ChoiceProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">{label}</label>
      <select
        id={id}
        className="select w-full"
        aria-describedby={hint === undefined ? undefined : `${id}-d`}
        value={value}
        onChange={(event) => onChoose(Number(event.currentTarget.value))}
      >
        {options.map((option) => <option key={option} value={option}>{nameOf(option)}</option>)}
      </select>
      {hint && <p id={`${id}-d`} className="mt-1 text-xs text-ink-3">{hint}</p>}
    </div>
  );
}

/** The next moments of a rule, with weekday and Hebrew date. */
function Upcoming(
  { rule, minutes, first, last, now }: {
    rule: RepeatRule;
    minutes: number;
    first: string;
    last: string | null;
    now: number;
  },
) {
  const end = dayAfter(first, SEARCHED_DAYS);
  const isEmpty = rule.kind === "weekly" && rule.weekdays.length === 0;
  const days = isEmpty ? [] : runDays(rule, first, last !== null && last < end ? last : end, SHOWN + 1);
  const moments = days.map((day) => israelInstant(day, minutes) ?? israelInstant(day, minutes + 60)!)
    .filter((at) => at > now).slice(0, SHOWN);
  if (moments.length === 0) return <p>{SERIES.none}</p>;
  return (
    <ul className="grid gap-0.5">
      {moments.map((at) => <li key={at}>{planMoment(at)}</li>)}
    </ul>
  );
}

function ruleOf(
  { kind, weekdays, day, month }: {
    kind: Kind;
    weekdays: readonly number[];
    day: number;
    month: HebrewMonth;
  },
): RepeatRule {
  switch (kind) {
    case "weekly":
      return { kind, weekdays: [...weekdays].sort() };
    case "monthly":
      return { kind, days: [day] };
    case "hebrew_monthly":
      return { kind, days: [Math.min(day, 30)] };
    case "hebrew_yearly":
      return { kind, dates: [{ month, day: Math.min(day, 30) }] };
  }
}

function toggled(values: readonly number[], value: number): number[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}
