import { type FormEvent, useRef, useState } from "react";
import type { Offered } from "shared/people_api.ts";
import { apiRequest } from "../../data/api_client.ts";
import { DUTY_MEANINGS, DUTY_NAMES } from "../../text/duties.ts";
import { errorText } from "../../text/error_text.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Field } from "../../ui/field.tsx";
import { JOIN } from "./text.ts";

const MIN_PASSWORD_CHARS = 8;

interface JoinFormProps {
  token: string;
  offer: Offered;
  /** Called after the server made the user. */
  onJoined: () => void;
}

/** The invited person's name and password. A refusal stays under the form with what was typed. */
export function JoinForm({ token, offer, onJoined }: JoinFormProps) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<"username" | "password">();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [nameField, passwordField] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const problem = username.trim() === ""
      ? "username"
      : password.length < MIN_PASSWORD_CHARS
      ? "password"
      : undefined;
    setWrong(problem);
    setRefusal(undefined);
    if (problem) return (problem === "username" ? nameField : passwordField).current?.focus();
    setBusy(true);
    try {
      await apiRequest("POST", "/api/join", { body: { token, username, password } });
      onJoined();
    } catch (error) {
      setBusy(false);
      setRefusal(errorText(error, JOIN.failed));
      nameField.current?.focus();
    }
  }

  return (
    <form className="mt-6 flex flex-col gap-4" noValidate onSubmit={submit}>
      <p className="rounded-field bg-base-200 p-3 text-sm">
        {JOIN.duty} <b>{DUTY_NAMES[offer.duty]}</b>
        <span className="block text-ink-2">{DUTY_MEANINGS[offer.duty]}</span>
      </p>
      <Field
        label={JOIN.username}
        hint={JOIN.usernameHint}
        autoComplete="username"
        autoCapitalize="none"
        maxLength={64}
        inputRef={nameField}
        error={wrong === "username" ? JOIN.missing : undefined}
        value={username}
        onChange={setUsername}
      />
      <Field
        label={JOIN.password}
        hint={JOIN.passwordHint}
        type="password"
        autoComplete="new-password"
        maxLength={200}
        inputRef={passwordField}
        error={wrong === "password" ? JOIN.passwordShort : undefined}
        value={password}
        onChange={setPassword}
      />
      {refusal && <p role="alert" className="tone-bad text-sm text-tone">{refusal}</p>}
      <BusyButton type="submit" className="btn-primary btn-lg" busy={busy} busyText={JOIN.joining}>
        {JOIN.submit}
      </BusyButton>
    </form>
  );
}
