import { type FormEvent, useEffect, useRef, useState } from "react";
import { LOGIN_CODE } from "./text/login_code.ts";
import { BusyButton } from "../../ui/busy_button.tsx";

export { lockedNotice } from "./locked_notice.tsx";

interface CodeStepProps {
  busy: boolean;
  /** Logs in again with the code from the field `typed`. */
  onSubmit: (typed: HTMLInputElement, code: string) => void;
  onBack: () => void;
}

/** The second step of the login: an application's code, or a recovery code. */
export function CodeStep({ busy, onSubmit, onBack }: CodeStepProps) {
  const [kind, setKind] = useState<"code" | "recoveryCode">("code");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [kind]);

  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit(field.current!, field.current!.value);
  }

  return (
    <form className="mt-6 flex flex-col gap-4" onSubmit={submit}>
      <p id="login-code-d" className="text-sm">{LOGIN_CODE[`${kind}Hint`]}</p>
      <div>
        <label htmlFor="login-code" className="mb-1 block text-sm font-semibold">{LOGIN_CODE[kind]}</label>
        <input
          // Empty the field when the kind changes: six typed digits are not the start of a recovery code.
          key={kind}
          id="login-code"
          name="code"
          ref={field}
          className="input input-lg w-full"
          dir="ltr"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          inputMode={kind === "code" ? "numeric" : "text"}
          maxLength={64}
          aria-describedby="login-code-d"
          required
        />
      </div>
      <BusyButton type="submit" className="btn-primary btn-lg mt-2" busy={busy} busyText={LOGIN_CODE.pending}>
        {LOGIN_CODE.submit}
      </BusyButton>
      <div className="flex flex-wrap justify-between gap-2">
        <button
          type="button"
          className="btn btn-ghost btn-sm"
          onClick={() => setKind(kind === "code" ? "recoveryCode" : "code")}
        >
          {kind === "code" ? LOGIN_CODE.useRecoveryCode : LOGIN_CODE.useCode}
        </button>
        <button type="button" className="btn btn-ghost btn-sm" onClick={onBack}>{LOGIN_CODE.back}</button>
      </div>
    </form>
  );
}
