import { useState } from "react";
import { DAY, readDay, writeDay } from "../text/day.ts";
import { Field } from "./field.tsx";

interface DayFieldProps {
  label: string;
  hint?: string;
  /** A problem of the day, or undefined; the field itself reports an unreadable day. */
  error?: string;
  /** As typed; readDay() parses it. */
  value: string;
  onChange: (typed: string) => void;
}

/**
 * A day in the Israeli form. The browser's date field follows its own language, which may read 1.2 as 2 January.
 * On leaving the field it shows the day as understood.
 */
export function DayField({ value, error, onChange, ...rest }: DayFieldProps) {
  const [isLeft, setLeft] = useState(false);
  const day = readDay(value);
  const isUnreadable = isLeft && value.trim() !== "" && day === undefined;
  return (
    <Field
      {...rest}
      inputMode="decimal"
      dir="ltr"
      className="text-end"
      autoComplete="off"
      placeholder={DAY.example}
      value={value}
      error={isUnreadable ? DAY.unreadable : error}
      onChange={onChange}
      onFocus={() => setLeft(false)}
      onBlur={() => {
        setLeft(true);
        if (day) onChange(writeDay(day));
      }}
    />
  );
}
