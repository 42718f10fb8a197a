import { useQuery } from "@tanstack/react-query";
import { Link2, X } from "lucide-react";
import { type FormEvent, useId, useRef, useState } from "react";
import { GIVEN_DUTIES, type GivenDuty, MAX_LABEL_CHARS } from "shared/duty.ts";
import type { Invited } from "shared/people_api.ts";
import { PATHS } from "../../paths.ts";
import { DUTY_MEANINGS, DUTY_NAMES } from "../../text/duties.ts";
import { formatMoment } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { CopyField } from "../../ui/copy_field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { useChangePerson, useInvite } from "./change_people.ts";
import { peopleQuery } from "./get_people.ts";
import { INVITE } from "./text.ts";

/** Makes an invitation's link, shows it once, and lists the open ones. */
export function InviteCard({ now }: { now: number }) {
  const [label, setLabel] = useState("");
  const [duty, setDuty] = useState<GivenDuty>("writer");
  const [isMissing, setMissing] = useState(false);
  const [made, setMade] = useState<Invited>();
  const field = useRef<HTMLInputElement>(null);
  const group = useId();
  const invite = useInvite((invited) => {
    setMade(invited);
    setLabel("");
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (invite.isPending) return;
    setMissing(label.trim() === "");
    if (label.trim() === "") field.current?.focus();
    else invite.mutate({ label, duty });
  }

  return (
    <section className="sheet min-w-0 p-5" aria-labelledby="invite-h">
      <h2 id="invite-h" className="text-lg font-bold">{INVITE.heading}</h2>
      <p className="mt-1 mb-4 text-sm text-ink-2">{INVITE.meaning}</p>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <Field
          label={INVITE.label}
          hint={INVITE.labelHint}
          placeholder={INVITE.labelPlaceholder}
          autoComplete="off"
          maxLength={MAX_LABEL_CHARS}
          inputRef={field}
          error={isMissing ? INVITE.labelMissing : undefined}
          value={label}
          onChange={(value) => {
            setLabel(value);
            setMissing(false);
          }}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-semibold">{INVITE.duty}</legend>
          {[...GIVEN_DUTIES].reverse().map((given) => (
            <label key={given} className="flex cursor-pointer items-start gap-3">
              <input
                type="radio"
                className="radio radio-primary radio-sm mt-0.5"
                name={group}
                checked={duty === given}
                onChange={() =>
                  setDuty(given)}
              />
              <span className="text-sm">
                <b>{DUTY_NAMES[given]}</b>
                <span className="block text-ink-2">{DUTY_MEANINGS[given]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <BusyButton
          type="submit"
          className="btn-primary self-start"
          busy={invite.isPending}
          busyText={INVITE.making}
        >
          <Link2 className="size-4" />
          {INVITE.submit}
        </BusyButton>
      </form>
      <OpenInvitations now={now} />
      {made && (
        <Dialog title={INVITE.madeTitle(made.invitation.label)} onClose={() => setMade(undefined)}>
          <p className="mb-4 text-sm">{INVITE.made}</p>
          <CopyField label={INVITE.linkLabel} text={linkOf(made.token)} />
          <button type="button" className="btn btn-primary mt-4" onClick={() => setMade(undefined)}>
            {INVITE.done}
          </button>
        </Dialog>
      )}
    </section>
  );
}

/** Behind the hash, the token reaches no server's log. */
function linkOf(token: string): string {
  return `${location.origin}${PATHS.join}#${token}`;
}

function OpenInvitations({ now }: { now: number }) {
  const open = useQuery(peopleQuery).data?.invitations ?? [];
  const change = useChangePerson();
  if (open.length === 0) return null;
  return (
    <>
      <h3 className="mt-6 border-t border-base-300 pt-4 font-bold">{INVITE.open}</h3>
      <ul aria-label={INVITE.open}>
        {open.map(({ id, label, duty, expiresAt }) => (
          <li key={id} className="flex items-center justify-between gap-3 py-2 text-sm">
            <span className="min-w-0">
              <span className="block font-semibold wrap-anywhere">{label}</span>
              <span className="text-xs text-ink-3">
                {DUTY_NAMES[duty]} · {INVITE.until(formatMoment(expiresAt, now))}
              </span>
            </span>
            <button
              type="button"
              className="btn btn-ghost btn-square btn-sm"
              aria-label={INVITE.withdrawOf(label)}
              title={INVITE.withdraw}
              aria-busy={change.isPending || undefined}
              onClick={() =>
                !change.isPending && change.mutate({ act: "withdraw", id })}
            >
              <X className="size-4" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
