import { type FormEvent, useId, useState } from "react";
import { NUMBERS_REASON_CHARS } from "shared/reason.ts";
import { PRIVACY } from "./text.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { type ErasureForm, useEraseNumber } from "./erase_number.ts";

const EMPTY: ErasureForm = { phone: "", reason: "", block: true };

/** Form for an erasure: a number, a reason, and whether it may receive messages again. */
export function EraseForm() {
  const [form, setForm] = useState(EMPTY);
  const [isChecked, setChecked] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const blockId = useId();
  const erase = useEraseNumber(() => {
    setForm(EMPTY);
    setChecked(false);
  }, () => setAsking(false));
  const hasPhone = /\d{5}/.test(form.phone.replace(/\D/g, ""));
  const hasReason = form.reason.trim().length >= NUMBERS_REASON_CHARS.least;

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (hasPhone && hasReason) setAsking(true);
  }

  return (
    <form className="sheet mb-6 grid gap-4 p-5" noValidate onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={PRIVACY.phone}
          hint={PRIVACY.phoneHint}
          error={isChecked && !hasPhone ? PRIVACY.phoneMissing : undefined}
          type="tel"
          dir="ltr"
          className="text-end"
          autoComplete="off"
          maxLength={40}
          value={form.phone}
          onChange={(phone) => setForm({ ...form, phone })}
        />
        <Field
          label={PRIVACY.reason}
          hint={PRIVACY.reasonHint}
          error={isChecked && !hasReason ? PRIVACY.reasonShort : undefined}
          maxLength={NUMBERS_REASON_CHARS.most}
          value={form.reason}
          onChange={(reason) => setForm({ ...form, reason })}
        />
      </div>
      <div className="flex items-start gap-3">
        <input
          id={blockId}
          type="checkbox"
          className="checkbox checkbox-primary mt-0.5"
          checked={form.block}
          aria-describedby={`${blockId}-d`}
          onChange={(event) => setForm({ ...form, block: event.currentTarget.checked })}
        />
        <div>
          <label htmlFor={blockId} className="text-sm font-semibold">{PRIVACY.block}</label>
          <p id={`${blockId}-d`} className="text-xs text-ink-3">{PRIVACY.blockHint}</p>
        </div>
      </div>
      <button type="submit" className="btn btn-error justify-self-start">{PRIVACY.erase}</button>
      {isAsking && (
        <ConfirmDialog
          title={PRIVACY.confirmTitle}
          confirm={PRIVACY.confirm}
          busyText={PRIVACY.erasing}
          busy={erase.isPending}
          onConfirm={() => erase.mutate({ ...form, phone: form.phone.trim(), reason: form.reason.trim() })}
          onClose={() => setAsking(false)}
        >
          {PRIVACY.confirmBody}
        </ConfirmDialog>
      )}
    </form>
  );
}
