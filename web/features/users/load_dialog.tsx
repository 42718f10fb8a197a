import { type FormEvent, useRef, useState } from "react";
import type { User } from "shared/http_api.ts";
import { LOAD } from "./text.ts";
import { errorText } from "../../text/error_text.ts";
import { formatNumber } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { Num } from "../../ui/num.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { newRequestId, useLoadMessages } from "./load_messages.ts";

const DEFAULT_COUNT = "10";
const PRESETS = [100, 500, 1000, 5000];

/** Adds messages to a client's quota. When the balance changed meanwhile, it shows the new one and asks again. */
export function LoadDialog({ client, onClose }: { client: User; onClose: () => void }) {
  const [typed, setTyped] = useState(DEFAULT_COUNT);
  const [isRefused, setRefused] = useState(false);
  const [hasMoved, setMoved] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const requestId = useRef(newRequestId());
  const load = useLoadMessages({
    onLoaded: onClose,
    onMoved: () => {
      requestId.current = newRequestId();
      setMoved(true);
    },
  });
  const count = Number(typed);
  const isValid = Number.isSafeInteger(count) && count > 0;

  const notice = hasMoved
    ? isValid && { tone: "tone-warn", text: LOAD.moved(client.messageQuota, count) }
    : load.isError && { tone: "tone-bad", text: errorText(load.error, LOAD.failed) };

  function choose(value: string) {
    setTyped(value);
    setRefused(false);
    requestId.current = newRequestId();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (load.isPending) return;
    setMoved(false);
    if (isValid) return load.mutate({ client, count, requestId: requestId.current });
    setRefused(true);
    showToast({ title: LOAD.invalidTitle, description: LOAD.invalid, tone: "bad" });
    field.current?.focus();
  }

  return (
    <Dialog title={LOAD.title(client.username)} onClose={onClose}>
      <p className="text-sm text-ink-2">{LOAD.balance(client.messageQuota)}</p>
      <form className="mt-5" noValidate onSubmit={submit}>
        <Field
          label={LOAD.field}
          hint={isValid ? LOAD.hint(count) : undefined}
          error={isRefused ? LOAD.invalid : undefined}
          inputRef={field}
          type="number"
          min={1}
          step={1}
          inputMode="numeric"
          placeholder={LOAD.placeholder}
          className="text-lg font-bold"
          value={typed}
          onChange={choose}
        />
        {isValid && (
          <p className="mt-1 text-sm text-ink-2" aria-live="polite">
            {LOAD.after(client.messageQuota + count)}
          </p>
        )}
        <div className="mt-3 flex flex-wrap gap-2" role="group" aria-label={LOAD.presets}>
          {PRESETS.map((preset) => (
            <button
              key={preset}
              type="button"
              className="btn btn-sm seg"
              aria-pressed={count === preset}
              onClick={() => choose(String(preset))}
            >
              <Num>{formatNumber(preset)}</Num>
            </button>
          ))}
        </div>
        {notice && <p className={`${notice.tone} mt-4 text-sm text-tone`} role="alert">{notice.text}</p>}
        <DialogFoot className="mt-6" onLeave={onClose}>
          <BusyButton
            type="submit"
            className="btn-primary grow"
            busy={load.isPending}
            busyText={LOAD.pending}
          >
            {isValid ? LOAD.confirm(count) : LOAD.open}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
