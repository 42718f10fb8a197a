import { type FormEvent, useId, useRef, useState } from "react";
import type { User } from "shared/http_api.ts";
import { USER_ACTS, USERS } from "./text.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Field } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { MIN_PASSWORD_CHARS } from "./change_user.ts";
import { type NewUser, useCreateUser } from "./create_user.ts";

/** The server's limits. */
const MAX_USERNAME_CHARS = 64;
const MAX_PASSWORD_CHARS = 200;
const MAX_QUOTA = 1_000_000_000;
const EMPTY = {
  username: "",
  password: "",
  role: "client" as NewUser["role"],
  firstPassword: true,
  quota: "",
};

/** Form that creates a user; it resets to an empty client after each. */
export function CreateUserForm({ onCreated }: { onCreated: (user: User) => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const create = useCreateUser((user) => {
    setDraft(EMPTY);
    onCreated(user);
  });
  const [isQuotaWrong, setQuotaWrong] = useState(false);
  const quota = useRef<HTMLInputElement>(null);
  const [isShort, setShort] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const roleId = useId();
  const firstId = useId();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (create.isPending) return;
    if (!draft.username.trim() || !draft.password) {
      showToast({ title: USERS.missingTitle, description: USERS.missing, tone: "bad" });
    } else if (draft.password.length < MIN_PASSWORD_CHARS) {
      setShort(true);
      password.current?.focus();
    } else if (draft.role === "client" && !isQuota(draft.quota)) {
      setQuotaWrong(true);
      quota.current?.focus();
    } else {
      const { quota: typed, ...user } = draft;
      create.mutate({ ...user, messageQuota: user.role === "client" ? Number(typed) : 0 });
    }
  }

  return (
    <section className="sheet p-5" aria-labelledby="new-user-h">
      <h2 id="new-user-h" className="mb-4 text-lg font-bold">{USERS.create}</h2>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <Field
          label={USERS.username}
          hint={USERS.usernameHint}
          autoComplete="off"
          maxLength={MAX_USERNAME_CHARS}
          value={draft.username}
          onChange={(username) => setDraft({ ...draft, username })}
        />
        <Field
          label={USERS.password}
          hint={USERS.passwordHint}
          type="password"
          maxLength={MAX_PASSWORD_CHARS}
          autoComplete="new-password"
          inputRef={password}
          error={isShort ? USER_ACTS.passwordShort : undefined}
          value={draft.password}
          onChange={(password) => {
            setDraft({ ...draft, password });
            setShort(false);
          }}
        />
        <div>
          <label htmlFor={roleId} className="mb-1 block text-sm font-semibold">{USERS.role}</label>
          <select
            id={roleId}
            className="select w-full"
            value={draft.role}
            onChange={(event) => setDraft({ ...draft, role: event.currentTarget.value as NewUser["role"] })}
          >
            <option value="client">{USERS.roles.client}</option>
            <option value="admin">{USERS.roles.admin}</option>
          </select>
        </div>
        {draft.role === "client" && (
          <Field
            label={USERS.quota}
            hint={USERS.quotaHint}
            error={isQuotaWrong ? USERS.quotaWrong : undefined}
            inputMode="numeric"
            dir="ltr"
            className="text-end"
            placeholder="0"
            inputRef={quota}
            value={draft.quota}
            onChange={(typed) => {
              setDraft({ ...draft, quota: typed });
              setQuotaWrong(false);
            }}
          />
        )}
        <div className="flex items-start gap-3">
          <input
            id={firstId}
            type="checkbox"
            className="checkbox checkbox-primary mt-0.5"
            checked={draft.firstPassword}
            aria-describedby={`${firstId}-d`}
            onChange={(event) => setDraft({ ...draft, firstPassword: event.currentTarget.checked })}
          />
          <div>
            <label htmlFor={firstId} className="text-sm font-semibold">{USERS.firstPassword}</label>
            <p id={`${firstId}-d`} className="text-xs text-ink-3">{USERS.firstPasswordHint}</p>
          </div>
        </div>
        <BusyButton type="submit" className="btn-primary" busy={create.isPending} busyText={USERS.creating}>
          {USERS.submit}
        </BusyButton>
      </form>
    </section>
  );
}

/** Nothing typed is a quota of 0. */
function isQuota(typed: string): boolean {
  return /^\d*$/.test(typed.trim()) && Number(typed) <= MAX_QUOTA;
}
