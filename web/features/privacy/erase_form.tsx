import { type FormEvent, useId, useState } from "react";
import { NUMBERS_REASON_CHARS } from "shared/reason.ts";
import { PRIVACY } from "./text.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { errorText } from "../../text/error_text.ts";
import { Phone } from "../../ui/phone.tsx";
import { erasureEffectQuery, type ErasureForm, useEraseNumber } from "./erase_number.ts";

/** The number again, as it was read, and what its erasure touches. */
function Effect({ phone }: { phone: string }) {
  const effect = useQuery(erasureEffectQuery(phone));
  return (
    <>
      <p className="text-xl font-extrabold">
        {effect.data ? <Phone e164={effect.data.phone} /> : <bdi className="num">{phone}</bdi>}
      </p>
      <p className="mt-2 font-semibold" role="status">
        {effect.data
          ? PRIVACY.touches(effect.data.campaigns, effect.data.waiting)
          : effect.isError
          ? PRIVACY.touchesUnknown(errorText(effect.error, ""))
          : PRIVACY.touchesLoading}
      </p>
      <p className="mt-2">{PRIVACY.confirmBody}</p>
    </>
  );
}

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
          <Effect phone={form.phone.trim()} />
        </ConfirmDialog>
      )}
    </form>
  );
}
