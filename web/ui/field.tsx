import { CircleAlert } from "lucide-react";
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from "react";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  label: string;
  hint?: string;
  /** A problem of the value, or undefined. */
  error?: string;
  value: string;
  onChange: (value: string) => void;
  inputRef?: Ref<HTMLInputElement>;
  /** A button beside the field. */
  act?: ReactNode;
}

/** A labelled field; a screen reader reads the problem under it together with the field. */
export function Field({ label, hint, error, onChange, inputRef, act, className = "", ...rest }: FieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">{label}</label>
      <div className="flex gap-1">
        <input
          {...rest}
          ref={inputRef}
          id={id}
          className={`input w-full ${error ? "input-error" : ""} ${className}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={hint || error ? `${id}-d` : undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {act}
      </div>
      <div id={`${id}-d`}>
        {error && (
          <p className="tone-bad mt-1 flex items-center gap-1.5 text-sm text-tone" role="alert">
            <CircleAlert className="size-4" />
            {error}
          </p>
        )}
        {hint && <p className="mt-1 text-xs text-ink-3">{hint}</p>}
      </div>
    </div>
  );
}
