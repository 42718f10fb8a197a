import { useState } from "react";
import { DAY, readDay, writeDay } from "../text/day.ts";
import { Field } from "./field.tsx";

interface DayFieldProps {
  label: string;
  hint?: string;
  /** What is wrong with the day, or undefined; that it can't be read the field says by itself. */
  error?: string;
  /** As it was typed; readDay() reads it. */
  value: string;
  onChange: (typed: string) => void;
}

/**
 * A day, written as in Israel: the browser's own date field shows it as its language does, which reads 1.2 as the
 * second of January. Whoever leaves the field sees what was understood.
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
