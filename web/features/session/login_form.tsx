import { type FormEvent, useRef, useState } from "react";
import type { User } from "shared/http_api.ts";
import { LOGIN } from "../../text/login.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { logIn, loginFailureText } from "./log_in.ts";

/** Username and password; a refusal selects the password and gives it the focus back. */
export function LoginForm({ onLoggedIn }: { onLoggedIn: (user: User) => void }) {
  const [busy, setBusy] = useState(false);
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const user = await logIn(username.current!.value, password.current!.value);
      showToast({ title: LOGIN.succeededTitle, description: LOGIN.succeeded(user.username), tone: "ok" });
      onLoggedIn(user);
    } catch (error) {
      setBusy(false);
      showToast({ title: LOGIN.failedTitle, description: loginFailureText(error), tone: "bad" });
      password.current?.focus();
      password.current?.select();
    }
  }

  return (
    <form className="mt-8 flex flex-col gap-4" onSubmit={submit}>
      <div>
        <label htmlFor="login-username" className="mb-1 block text-sm font-semibold">{LOGIN.username}</label>
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
        <label htmlFor="login-password" className="mb-1 block text-sm font-semibold">{LOGIN.password}</label>
        <input
          id="login-password"
          name="password"
          type="password"
          ref={password}
          className="input input-lg w-full"
          autoComplete="current-password"
          maxLength={200}
          required
        />
      </div>
      <BusyButton type="submit" className="btn-primary btn-lg mt-2" busy={busy} busyText={LOGIN.pending}>
        {LOGIN.submit}
      </BusyButton>
    </form>
  );
}
