import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import { ApiError, apiRequest } from "../../data/api_client.ts";
import { SESSION_RENEWAL } from "../../data/query_client.ts";
import { ACCOUNT } from "./text/account.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Field } from "../../ui/field.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

const MIN_PASSWORD_CHARS = 8;
const NOTHING = { current: "", next: "", repeat: "" };

type FieldName = keyof typeof NOTHING;

/** Changes the user's own password; a refusal appears under its field. */
export function PasswordForm({ username }: { username: string }) {
  const cache = useQueryClient();
  const [words, setWords] = useState(NOTHING);
  const [problem, setProblem] = useState<{ field: FieldName; text: string }>();
  const fields: Record<FieldName, RefObject<HTMLInputElement | null>> = {
    current: useRef(null),
    next: useRef(null),
    repeat: useRef(null),
  };
  const change = useMutation({
    mutationKey: SESSION_RENEWAL,
    onMutate: () => cache.cancelQueries(),
    mutationFn: ({ current, next }: typeof NOTHING) =>
      apiRequest("POST", "/api/auth/password", {
        body: { currentPassword: current, newPassword: next },
      }),
    onSuccess: () => {
      setWords(NOTHING);
      showToast({ title: ACCOUNT.changedTitle, description: ACCOUNT.changed, tone: "ok" });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === "wrong_credentials") {
        refuse("current", error.serverText ?? ACCOUNT.changeFailed);
        fields.current.current?.select();
      } else showFailure(ACCOUNT.changeFailedTitle, error, ACCOUNT.changeFailed);
    },
  });

  function refuse(field: FieldName, text: string) {
    setProblem({ field, text });
    fields[field].current?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (change.isPending) return;
    setProblem(undefined);
    if (!words.current) refuse("current", ACCOUNT.missingCurrent);
    else if (words.next.length < MIN_PASSWORD_CHARS) refuse("next", ACCOUNT.short);
    else if (words.next === words.current) refuse("next", ACCOUNT.same);
    else if (words.repeat !== words.next) refuse("repeat", ACCOUNT.different);
    else change.mutate(words);
  }

  const fieldOf = (name: FieldName) => ({
    label: ACCOUNT[name],
    type: "password",
    maxLength: 200,
    value: words[name],
    error: problem?.field === name ? problem.text : undefined,
    inputRef: fields[name],
    onChange: (value: string) => setWords({ ...words, [name]: value }),
  });
  return (
    <section className="sheet p-5" aria-labelledby="pass-h">
      <h2 id="pass-h" className="text-lg font-bold">{ACCOUNT.passwordHeading}</h2>
      <p className="mt-1 mb-4 text-sm text-ink-2">{ACCOUNT.passwordEffect}</p>
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        {/* Password managers save the new password under this name. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <Field {...fieldOf("current")} autoComplete="current-password" />
        <Field {...fieldOf("next")} hint={ACCOUNT.nextHint} autoComplete="new-password" />
        <Field {...fieldOf("repeat")} autoComplete="new-password" />
        <BusyButton
          type="submit"
          className="btn-primary self-start"
          busy={change.isPending}
          busyText={ACCOUNT.changing}
        >
          {ACCOUNT.change}
        </BusyButton>
      </form>
    </section>
  );
}
