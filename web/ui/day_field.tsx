import { CalendarDays } from "lucide-react";
import { useRef, useState } from "react";
import { DAY, readDay, writeDay } from "../text/day.ts";
import { dayOf } from "./consent_draft.ts";
import { Field } from "./field.tsx";

interface DayFieldProps {
  label: string;
  hint?: string;
  /** A problem of the day, or undefined; the field itself reports an unreadable day. */
  error?: string;
  /** As typed; readDay() parses it. */
  value: string;
  onChange: (typed: string) => void;
  /** Whether the day is still to come; the calendar then offers no other. @default {false} */
  isAhead?: boolean;
}

/**
 * A day in the Israeli form, typed or chosen. The browser's date field follows its own language, which may read 1.2 as
 * 2 January, so only its calendar is used. On leaving the field it shows the day as understood.
 */
export function DayField({ value, error, onChange, isAhead = false, ...rest }: DayFieldProps) {
  const [isLeft, setLeft] = useState(false);
  const calendar = useRef<HTMLInputElement>(null);
  const today = dayOf(Date.now());
  const day = readDay(value, today);
  const isUnreadable = isLeft && value.trim() !== "" && day === undefined;
  return (
    <Field
      {...rest}
      dir="auto"
      className="text-end"
      autoComplete="off"
      placeholder={isAhead ? writeDay(today) : DAY.example}
      value={value}
      error={isUnreadable ? DAY.unreadable : error}
      onChange={onChange}
      onFocus={() => setLeft(false)}
      onBlur={() => {
        setLeft(true);
        if (day) onChange(writeDay(day));
      }}
      act={
        <span className="relative shrink-0">
          <input
            ref={calendar}
            type="date"
            className="pointer-events-none absolute inset-0 opacity-0"
            tabIndex={-1}
            aria-hidden="true"
            {...(isAhead ? { min: today } : { max: today })}
            value={day ?? ""}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              if (chosen) onChange(writeDay(chosen));
            }}
          />
          <button
            type="button"
            className="btn btn-ghost btn-square border-base-300"
            aria-label={`${DAY.choose}: ${rest.label}`}
            title={DAY.choose}
            onClick={() => calendar.current?.showPicker()}
          >
            <CalendarDays className="size-4" />
          </button>
        </span>
      }
    />
  );
}
