import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { TestStarted } from "shared/http_api.ts";
import type { PersonalRow } from "shared/personal_api.ts";
import { TESTS_PER_DAY } from "shared/campaign.ts";
import { DELIVERY_WORDS } from "shared/delivery_words.ts";
import { apiJson, isSessionOver } from "../../data/api_client.ts";
import { TEST } from "./text/test_message.ts";
import { errorText } from "../../text/error_text.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { Phone } from "../../ui/phone.tsx";
import { useStoredDraft } from "../../ui/use_stored_draft.ts";
import { DeliveryMark } from "./delivery_mark.tsx";
import { deliveryPageQuery } from "./get_deliveries.ts";

export interface TestDialogProps {
  userId: number;
  campaignId: number;
  /** Shows why the campaign with this id waits. */
  waitingNotice: (campaignId: number) => ReactNode;
  /** The recipient whose values a personal message takes, null while there is none; absent for other messages. */
  row?: PersonalRow | null;
  onClose: () => void;
}

/** Sends the campaign's words to the sender's own number, and shows the result. */
export function TestDialog({ userId, campaignId, waitingNotice, row, onClose }: TestDialogProps) {
  const cache = useQueryClient();
  const [{ phone }, change] = useStoredDraft(`test.${userId}`, readNumber);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: (phone: string) =>
      apiJson<TestStarted>("POST", `/api/campaigns/${campaignId}/test`, {
        body: { phone, row: row?.id },
        once: true,
      }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["/api/auth/me"] }),
    onError: (error) => {
      if (isSessionOver(error)) return;
      // Shown inside the dialog: a modal dialog covers the toasts.
      setProblem(errorText(error, TEST.failed));
      field.current?.focus();
    },
  });

  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Away from the field: the second of two presses of Enter there would send another test.
    if (send.data) outcome.current?.focus();
  }, [send.data]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (send.isPending) return;
    setProblem(phone.trim() ? undefined : TEST.missing);
    if (phone.trim()) send.mutate(phone);
    else field.current?.focus();
  }

  return (
    <Dialog title={TEST.title} onClose={onClose}>
      <p className="mb-4 text-sm text-ink-2">{row === undefined ? TEST.what : TEST.whatPersonal}</p>
      {row && <RowInView row={row} />}
      {row === null && <p className="mb-4 text-sm">{TEST.noRow}</p>}
      <form noValidate onSubmit={submit}>
        <Field
          label={TEST.phone}
          hint={TEST.hint(TESTS_PER_DAY)}
          error={problem}
          inputRef={field}
          type="tel"
          dir="ltr"
          className="text-end"
          autoComplete="tel"
          maxLength={40}
          value={phone}
          onChange={(typed) => change({ phone: typed })}
        />
        {send.data && (
          <div ref={outcome} tabIndex={-1} className="mt-4 rounded-field">
            <Outcome started={send.data} waitingNotice={waitingNotice} />
          </div>
        )}
        <DialogFoot leave={TEST.close} onLeave={onClose}>
          <BusyButton type="submit" className="btn-primary" busy={send.isPending} busyText={TEST.sending}>
            {send.data ? TEST.sendAgain : TEST.send}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** Whose values the test takes, and what the message will lack. */
function RowInView({ row: { phone, values, missing } }: { row: PersonalRow }) {
  const shown = Object.values(values).filter(Boolean).join(" · ");
  return (
    <div className="mb-4 rounded-field bg-base-200 p-3 text-sm">
      <p>
        {TEST.valuesOf}{" "}
        <b>
          <Phone e164={phone} />
        </b>
      </p>
      {shown && (
        <p className="flex text-ink-2">
          <bdi className="truncate">{shown}</bdi>
        </p>
      )}
      {missing.length > 0 && <p className="tone-warn mt-1 text-tone">{TEST.lacks(missing)}</p>}
    </div>
  );
}

interface OutcomeProps extends Pick<TestDialogProps, "waitingNotice"> {
  started: TestStarted;
}

/** Follows the test's single delivery until it settles, and shows why it waits. */
function Outcome({ started: { campaignId, remainingToday }, waitingNotice }: OutcomeProps) {
  const page = useQuery({
    ...deliveryPageQuery(campaignId, { state: undefined, q: "" }, null, true),
    refetchInterval: ({ state: { data } }) => isOver(data?.items[0]?.state) ? false : FOLLOW_MS,
  });
  const delivery = page.data?.items[0];
  const isOnItsWay = !isOver(delivery?.state);
  return (
    <div className="rounded-field bg-base-200 p-3 text-sm" role="status">
      <div className="flex flex-wrap items-center gap-2">
        {delivery && <DeliveryMark delivery={delivery} audience="client" />}
        <span>{delivery && isOver(delivery.state) ? TEST.over[delivery.state] ?? "" : TEST.onItsWay}</span>
      </div>
      {delivery?.reason && delivery.state !== "sent" && (
        <p className="mt-1 text-ink-2">{DELIVERY_WORDS.client.reasons[delivery.reason]}</p>
      )}
      {isOnItsWay && waitingNotice(campaignId)}
      <p className="mt-1 text-xs text-ink-3">{TEST.remaining(remainingToday)}</p>
    </div>
  );
}

const FOLLOW_MS = 2000;

function isOver(state: string | undefined): state is keyof typeof TEST.over {
  return state !== undefined && state in TEST.over;
}

function readNumber({ phone }: Record<string, unknown>): { phone: string } {
  return { phone: typeof phone === "string" ? phone : "" };
}
