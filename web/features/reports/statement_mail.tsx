import { type FormEvent, useState } from "react";
import type { Statement } from "shared/statement_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Field } from "../../ui/field.tsx";
import { useStatementMail } from "./get_statement.ts";
import { Section } from "./section.tsx";
import { STATEMENT } from "./statement_text.ts";

/** One address with a dot after its at-sign; the server is stricter. */
const LOOKS_LIKE_ADDRESS = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/;

/** Where the client's statements go by e-mail. */
export function StatementMail({ mail }: { mail: Statement["mail"] }) {
  const [email, setEmail] = useState(mail.email ?? "");
  const [tried, setTried] = useState(false);
  const save = useStatementMail();
  const isWrong = !LOOKS_LIKE_ADDRESS.test(email.trim());

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!isWrong && !save.isPending) save.mutate(email.trim());
  }

  return (
    <Section id="mail-h" heading={STATEMENT.mail}>
      {!mail.isPossible ? <p className="text-sm text-ink-2">{STATEMENT.mailOff}</p> : (
        <>
          <p className="mb-3 max-w-prose text-sm text-ink-2">{STATEMENT.mailHint}</p>
          <form noValidate className="flex flex-wrap items-start gap-3" onSubmit={submit}>
            <div className="min-w-0 grow basis-64 sm:max-w-96">
              <Field
                label={STATEMENT.email}
                type="email"
                dir="ltr"
                className="text-end"
                autoComplete="email"
                maxLength={254}
                placeholder={STATEMENT.emailPlaceholder}
                value={email}
                error={tried && isWrong ? STATEMENT.emailWrong : undefined}
                onChange={setEmail}
              />
            </div>
            <div className="flex gap-2 sm:mt-6">
              <BusyButton
                className="btn-secondary"
                busy={save.isPending}
                busyText={STATEMENT.saving}
                type="submit"
              >
                {STATEMENT.save}
              </BusyButton>
              {mail.email !== null && (
                <button
                  type="button"
                  className="btn btn-ghost"
                  onClick={() => {
                    setEmail("");
                    setTried(false);
                    save.mutate(null);
                  }}
                >
                  {STATEMENT.stop}
                </button>
              )}
            </div>
          </form>
        </>
      )}
      {mail.message && (
        <p className="mt-3 text-sm text-ink-2" role="status">{STATEMENT.messages[mail.message.state]}</p>
      )}
    </Section>
  );
}
