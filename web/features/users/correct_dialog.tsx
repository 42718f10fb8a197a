import { type FormEvent, useRef, useState } from "react";
import type { User } from "shared/http_api.ts";
import { CORRECTION_REASON_CHARS } from "shared/quota.ts";
import { errorText } from "../../text/error_text.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useCorrectQuota } from "./correct_quota.ts";
import { newRequestId } from "./load_messages.ts";
import { CORRECT } from "./text.ts";

type Direction = "take" | "add";

/** Corrects a client's quota by an entry with a reason, which the client reads too. */
export function CorrectDialog({ client, onClose }: { client: User; onClose: () => void }) {
  const [direction, setDirection] = useState<Direction>("take");
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [hasTried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const reasonField = useRef<HTMLInputElement>(null);
  // One id for one wish: a repeat after a lost answer changes nothing, and changed fields are another wish.
  const request = useRef({ wish: "", id: "" });
  const correct = useCorrectQuota(onClose);
  const { messageQuota: balance } = client;
  const count = Number(typed);
  const problem = !/^\d+$/.test(typed.trim()) || count === 0
    ? CORRECT.invalid
    : direction === "take" && count > balance
    ? CORRECT.tooMuch(balance)
    : undefined;
  const isShort = reason.trim().length < CORRECTION_REASON_CHARS.least;
  const delta = direction === "take" ? -count : count;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (correct.isPending) return;
    setTried(true);
    if (problem) return field.current?.focus();
    if (isShort) return reasonField.current?.focus();
    const wish = `${delta} ${reason.trim()}`;
    if (request.current.wish !== wish) request.current = { wish, id: newRequestId() };
    correct.mutate({ client, delta, reason: reason.trim(), requestId: request.current.id });
  }

  return (
    <Dialog title={CORRECT.title(client.username)} onClose={onClose}>
      <p className="text-sm text-ink-2">{CORRECT.effect(balance)}</p>
      <form className="mt-5 grid gap-4" noValidate onSubmit={submit}>
        <Segments
          label={CORRECT.direction}
          options={[
            { value: "take", label: CORRECT.take },
            { value: "add", label: CORRECT.add },
          ]}
          chosen={direction}
          onChoose={setDirection}
        />
        <Field
          label={CORRECT.count}
          hint={problem === undefined ? CORRECT.after(balance + delta) : undefined}
          error={hasTried ? problem : undefined}
          inputRef={field}
          type="number"
          min={1}
          step={1}
          inputMode="numeric"
          value={typed}
          onChange={setTyped}
        />
        <Field
          label={CORRECT.reason}
          hint={CORRECT.reasonHint}
          error={hasTried && isShort ? CORRECT.reasonShort : undefined}
          inputRef={reasonField}
          maxLength={CORRECTION_REASON_CHARS.most}
          value={reason}
          onChange={setReason}
        />
        {correct.isError && (
          <p className="tone-bad text-sm text-tone" role="alert">
            {errorText(correct.error, CORRECT.failed)}
          </p>
        )}
        <DialogFoot className="" onLeave={onClose}>
          <BusyButton
            type="submit"
            className="btn-primary grow"
            busy={correct.isPending}
            busyText={CORRECT.pending}
          >
            {CORRECT.confirm}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
