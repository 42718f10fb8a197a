import { FlaskConical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DELIVERY_WORDS } from "shared/delivery_words.ts";
import { KIND_WORDS } from "shared/message_words.ts";
import type { Message } from "shared/messages_api.ts";
import { formatMoment } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Mark } from "../../ui/mark.tsx";
import { useMayDo } from "../../ui/may_do.ts";
import { Num } from "../../ui/num.tsx";
import { Phone } from "../../ui/phone.tsx";
import { type ResolveAs, useCancelMessage, useResolveMessage } from "./change_message.ts";
import { MessageMark } from "./message_mark.tsx";
import { MESSAGES } from "./text.ts";

const CHOICES: readonly { as: ResolveAs; label: string }[] = [
  { as: "sent", label: MESSAGES.asSent },
  { as: "resend", label: MESSAGES.asResend },
  { as: "failed", label: MESSAGES.asFailed },
];

interface MessageDialogProps {
  message: Message;
  now: number;
  onClose: () => void;
}

/** Everything about one message, and what may still be done about it. */
export function MessageDialog({ message, now, onClose }: MessageDialogProps) {
  const { id, to, text, kind, state, reason, mode, reference, sendAfter, sender, attempts, hasImage } =
    message;
  const [as, setAs] = useState<ResolveAs>();
  const cancel = useCancelMessage(onClose);
  const resolve = useResolveMessage(onClose);
  const mayAct = useMayDo("sender");
  const isDoubtful = state === "unknown" && mayAct;
  return (
    <Dialog title={MESSAGES.details} onClose={onClose}>
      <div className="mb-3 flex flex-wrap gap-2">
        <MessageMark state={state} />
        {mode === "test" && <Mark tone="idle" icon={FlaskConical} label={MESSAGES.testMark} />}
      </div>
      <p
        className="max-h-48 overflow-y-auto rounded-field bg-base-200 p-3 text-sm whitespace-pre-wrap wrap-anywhere"
        tabIndex={0}
      >
        {text ?? MESSAGES.gone}
      </p>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <Fact name={MESSAGES.to}>
          <Phone e164={to} />
        </Fact>
        {reason !== null && <Fact name={MESSAGES.why}>{DELIVERY_WORDS.client.reasons[reason]}</Fact>}
        <Fact name={MESSAGES.kind}>{KIND_WORDS[kind]}{hasImage && ` · ${MESSAGES.image}`}</Fact>
        {reference !== null && (
          <Fact name={MESSAGES.reference}>
            <bdi className="wrap-anywhere">{reference}</bdi>
          </Fact>
        )}
        <Fact name={MESSAGES.createdAt}>{formatMoment(message.createdAt, now)}</Fact>
        {sendAfter !== null && <Fact name={MESSAGES.sendAfter}>{formatMoment(sendAfter, now)}</Fact>}
        <Fact name={MESSAGES.expiresAt}>{formatMoment(message.expiresAt, now)}</Fact>
        <Fact name={MESSAGES.updatedAt}>{formatMoment(message.updatedAt, now)}</Fact>
        {attempts > 1 && (
          <Fact name={MESSAGES.attempts}>
            <Num>{attempts}</Num>
          </Fact>
        )}
        {sender !== null && (
          <Fact name={MESSAGES.sender}>
            <Phone e164={sender} />
          </Fact>
        )}
      </dl>
      {isDoubtful && (
        <fieldset className="mt-4 flex flex-col gap-2">
          <legend className="mb-2 text-sm text-ink-2">{MESSAGES.resolveWhy}</legend>
          {CHOICES.map((choice) => (
            <label key={choice.as} className="choice py-2 text-sm">
              <input
                type="radio"
                name="resolve-as"
                className="radio radio-sm radio-primary"
                checked={as === choice.as}
                onChange={() => setAs(choice.as)}
              />
              <span>{choice.label}</span>
            </label>
          ))}
        </fieldset>
      )}
      {as === "resend" && (
        <p className="tone-warn mt-3 text-sm text-tone" role="status">{MESSAGES.resendQuestion}</p>
      )}
      <DialogFoot onLeave={onClose}>
        {as && isDoubtful && (
          <BusyButton
            className={as === "resend" ? "btn-error" : "btn-primary"}
            busy={resolve.isPending}
            busyText={MESSAGES.resolving}
            onClick={() => resolve.mutate({ id, as })}
          >
            {MESSAGES.confirm[as]}
          </BusyButton>
        )}
        {state === "queued" && mayAct && (
          <BusyButton
            className="btn-outline btn-error"
            busy={cancel.isPending}
            busyText={MESSAGES.cancelling}
            onClick={() => cancel.mutate(id)}
          >
            {MESSAGES.cancel}
          </BusyButton>
        )}
      </DialogFoot>
    </Dialog>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
