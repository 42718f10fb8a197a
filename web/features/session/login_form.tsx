import { type ReactNode, useEffect, useRef, useState } from "react";
import type { User } from "shared/http_api.ts";
import { LOGIN } from "./text/login.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { showToast } from "../../ui/toast_store.ts";
import type { CodeStep } from "./code_step.tsx";
import { isCodeNeeded, logIn, loginFailureText } from "./log_in.ts";

/**
 * Asks for username and password, then for a code if the user has a second factor. After a refusal it focuses the
 * last entry and selects its text.
 */
export function LoginForm({ onLoggedIn }: { onLoggedIn: (user: User) => void }) {
  const [busy, setBusy] = useState(false);
  const [locked, setLocked] = useState<ReactNode>();
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  // Loaded after a refusal: few users have a second factor.
  const [Code, setCode] = useState<typeof CodeStep>();
  const wasAsked = useRef(false);
  useEffect(() => {
    if (wasAsked.current) password.current?.focus();
    wasAsked.current = Code !== undefined;
  }, [Code]);

  async function submit(typed: HTMLInputElement, code?: string) {
    if (busy) return;
    setBusy(true);
    try {
      const user = await logIn(username.current!.value, password.current!.value, code);
      showToast({ title: LOGIN.succeededTitle, description: LOGIN.succeeded(user.username), tone: "ok" });
      onLoggedIn(user);
    } catch (error) {
      const part = await import("./code_step.tsx").catch(() => null);
      setBusy(false);
      if (part && isCodeNeeded(error)) return setCode(() => part.CodeStep);
      const notice = part?.lockedNotice(error);
      setLocked(notice);
      if (!notice || Code) {
        showToast({ title: LOGIN.failedTitle, description: loginFailureText(error), tone: "bad" });
      }
      typed.focus();
      typed.select();
    }
  }

  return (
    <>
      {Code && <Code busy={busy} onSubmit={submit} onBack={() => setCode(undefined)} />}
      <form
        className="mt-8 flex flex-col gap-4"
        hidden={Code !== undefined}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(password.current!);
        }}
      >
        <div>
          <label htmlFor="login-username" className="mb-1 block text-sm font-semibold">
            {LOGIN.username}
          </label>
          <input
            id="login-username"
            name="username"
            ref={username}
            className="input input-lg w-full"
            autoComplete="username"
            autoCapitalize="none"
            maxLength={64}
            required
          />
        </div>
        <div>
          <label htmlFor="login-password" className="mb-1 block text-sm font-semibold">
            {LOGIN.password}
          </label>
          <input
            id="login-password"
            name="password"
            type="password"
            ref={password}
            className="input input-lg w-full"
            autoComplete="current-password"
            maxLength={200}
            aria-describedby="login-locked"
            required
          />
          {locked}
        </div>
        <BusyButton type="submit" className="btn-primary btn-lg mt-2" busy={busy} busyText={LOGIN.pending}>
          {LOGIN.submit}
        </BusyButton>
      </form>
    </>
  );
}
