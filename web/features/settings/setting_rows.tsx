import { CircleAlert, TriangleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { SETTINGS } from "./text.ts";
import { formatNumber } from "../../text/format.ts";
import { Num } from "../../ui/num.tsx";
import { BOUNDS, type NumberKey, STANDARD, type SwitchKey } from "./settings_draft.ts";

/** From this maximum on, separators are needed to read the digits, and a number field cannot show them. */
const GROUPED_FROM = 100_000;

interface RowProps {
  label: string;
  hint: string;
  /** The saved value, when the draft differs from it. */
  was?: string;
  /** Why the value is dangerous; it stays until the value is another. */
  warning?: string | undefined;
}

interface NumberRowProps extends RowProps {
  setting: NumberKey;
  unit: string;
  value: string;
  error?: string;
  onChange: (value: string) => void;
}

/** A numeric setting: label, hint, and the field at the end. */
export function NumberRow(
  { label, hint, was, warning, setting, unit, value, error, onChange }: NumberRowProps,
) {
  const id = useId();
  const field = {
    id,
    value,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? `${id}-d ${id}-e` : `${id}-d`,
    onType: onChange,
  };
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-4">
      <div className="min-w-0 grow basis-64">
        <label htmlFor={id} className="font-semibold">{label}</label>
        <Was value={was} />
        <p id={`${id}-d`} className="text-sm text-ink-2">
          {hint} <span className="text-ink-3">{rangeOf(setting)}</span>
        </p>
        <Danger text={error ? undefined : warning} />
        {error && (
          <p
            id={`${id}-e`}
            className="tone-bad mt-1 flex items-center gap-1.5 text-sm text-tone"
            role="alert"
          >
            <CircleAlert className="size-4" />
            {error}
          </p>
        )}
      </div>
      <label
        className={`input ${BOUNDS[setting].max >= GROUPED_FROM ? "w-52" : "w-40"} ${
          error ? "input-error" : ""
        }`}
      >
        {BOUNDS[setting].max >= GROUPED_FROM
          ? <GroupedInput {...field} />
          : <PlainInput {...BOUNDS[setting]} {...field} />}
        <span className="text-sm whitespace-nowrap text-ink-3">{unit}</span>
      </label>
    </div>
  );
}

interface TypedProps extends Omit<ComponentProps<"input">, "value"> {
  value: string;
  onType: (value: string) => void;
}

function PlainInput({ onType, ...rest }: TypedProps) {
  return (
    <input
      {...rest}
      type="number"
      inputMode="decimal"
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}

/**
 * Shows "5,000,000", but the plain digits while a person types: a change of the value on focus would lose the
 * selection.
 */
function GroupedInput({ value, onType, ...rest }: TypedProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      {...rest}
      type="text"
      inputMode="numeric"
      dir="ltr"
      className="text-end"
      value={typed ?? (/^\d+$/.test(value) ? formatNumber(Number(value)) : value)}
      onBlur={() => setTyped(null)}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onType(event.currentTarget.value.replaceAll(",", ""));
      }}
    />
  );
}

function rangeOf(setting: NumberKey): string {
  const { min, max } = BOUNDS[setting];
  return SETTINGS.range(formatNumber(STANDARD[setting]), formatNumber(min), formatNumber(max));
}

interface SwitchRowProps extends RowProps {
  setting: SwitchKey;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** A setting that is on or off. */
export function SwitchRow({ label, hint, was, warning, setting, isOn, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6 py-4">
      <div>
        <label htmlFor={id} className="font-semibold">{label}</label>
        <Was value={was} />
        <p id={`${id}-d`} className="text-sm text-ink-2">
          {hint}{" "}
          <span className="text-ink-3">
            {SETTINGS.standard(STANDARD[setting] ? SETTINGS.on : SETTINGS.off)}
          </span>
        </p>
        <Danger text={warning} />
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="toggle toggle-primary mt-1"
        checked={isOn}
        aria-describedby={`${id}-d`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}

function Danger({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="tone-warn mt-1 flex items-center gap-1.5 text-sm font-semibold text-tone">
      <TriangleAlert className="size-4 shrink-0" />
      {text}
    </p>
  );
}

function Was({ value }: { value: ReactNode }) {
  if (value === undefined) return null;
  return (
    <span className="tone-warn ms-2 text-xs font-semibold text-tone">
      {SETTINGS.changed} <Num>{value}</Num>
    </span>
  );
}
