/**
 * Shared parts of the second-factor dialogs. A refusal appears under its field, or above the buttons when it is
 * about no field.
 */
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import type { ErrorCode } from "shared/error_code.ts";
import { ApiError } from "../../data/api_client.ts";
import { errorText } from "../../text/error_text.ts";
import { SECOND_FACTOR } from "./text/second_factor.ts";
import { Field } from "../../ui/field.tsx";

interface FactorFieldProps extends Omit<ComponentProps<typeof Field>, "error" | "inputRef"> {
  /** Error of the call that used the value. */
  error: Error | null;
}

/** The user's password again. */
export function PasswordField(
  { username, error, ...rest }: Omit<FactorFieldProps, "label"> & { username: string },
) {
  return (
    <>
      {/* Password managers use this hidden field to select the account. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <Refusable
        {...rest}
        label={SECOND_FACTOR.password}
        code="wrong_credentials"
        refusal={error}
        type="password"
        autoComplete="current-password"
        maxLength={200}
      />
    </>
  );
}

/** A field for a code, written left to right. */
export function CodeField({ error, ...rest }: FactorFieldProps) {
  return (
    <Refusable
      {...rest}
      code="wrong_code"
      refusal={error}
      dir="ltr"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
    />
  );
}

/** First line of a dialog step. It takes the focus, because the button before it was removed. */
export function StepLead({ children }: { children: ReactNode }) {
  const lead = useRef<HTMLParagraphElement>(null);
  useEffect(() => lead.current?.focus(), []);
  return <p ref={lead} tabIndex={-1} className="mb-4 text-sm outline-none">{children}</p>;
}

/** Shows a refusal that is about neither field. */
export function Refusal({ error }: { error: Error | null }) {
  if (!error || codeOf(error) === "wrong_credentials" || codeOf(error) === "wrong_code") return null;
  return (
    <p className="tone-bad mt-4 text-sm text-tone" role="alert">{errorText(error, SECOND_FACTOR.refused)}</p>
  );
}

interface RefusableProps extends Omit<ComponentProps<typeof Field>, "error" | "inputRef"> {
  code: ErrorCode;
  refusal: Error | null;
}

function Refusable({ code, refusal, ...rest }: RefusableProps) {
  const field = useRef<HTMLInputElement>(null);
  const isRefused = codeOf(refusal) === code;
  useEffect(() => {
    if (!isRefused) return;
    field.current?.focus();
    field.current?.select();
  }, [refusal]);
  const error = isRefused ? errorText(refusal, SECOND_FACTOR.refused) : undefined;
  return <Field {...rest} error={error} inputRef={field} required />;
}

function codeOf(error: Error | null): ErrorCode | undefined {
  return error instanceof ApiError ? error.code : undefined;
}
