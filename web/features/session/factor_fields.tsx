/** What the dialogs of the second factor share: a refusal stands under the field it is about, else above the buttons. */
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import type { ErrorCode } from "shared/error_code.ts";
import { ApiError } from "../../data/api_client.ts";
import { errorText } from "../../text/error_text.ts";
import { SECOND_FACTOR } from "./text/second_factor.ts";
import { Field } from "../../ui/field.tsx";

interface FactorFieldProps extends Omit<ComponentProps<typeof Field>, "error" | "inputRef"> {
  /** Of the call that took the value. */
  error: Error | null;
}

/** One's password, asked again. */
export function PasswordField(
  { username, error, ...rest }: Omit<FactorFieldProps, "label"> & { username: string },
) {
  return (
    <>
      {/* A password manager knows by this name which password is asked for. */}
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

/** A code, written left to right. */
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

/** What the next step of a dialog begins with: the button that led here is gone, and the focus comes here. */
export function StepLead({ children }: { children: ReactNode }) {
  const lead = useRef<HTMLParagraphElement>(null);
  useEffect(() => lead.current?.focus(), []);
  return <p ref={lead} tabIndex={-1} className="mb-4 text-sm outline-none">{children}</p>;
}

/** What is refused and is about neither field. */
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
