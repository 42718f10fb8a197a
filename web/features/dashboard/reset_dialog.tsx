import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Dashboard } from "shared/admin_api.ts";
import { RESET } from "./text.ts";
import { formatNumber } from "../../text/format.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { Num } from "../../ui/num.tsx";
import { useClearQueues } from "./clear_queues.ts";

/** The red button that clears all queues, and the dialog that first shows the effect in numbers. */
export function ResetQueues({ effect }: { effect: Dashboard["reset"] | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const clear = useClearQueues(() => setAsking(false));
  return (
    <>
      <button type="button" className="btn btn-outline btn-error" onClick={() => setAsking(true)}>
        <Trash2 className="size-4" />
        {RESET.open}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={RESET.title}
          confirm={RESET.confirm}
          busyText={RESET.pending}
          busy={clear.isPending}
          word={RESET.word}
          onConfirm={() => clear.mutate()}
          onClose={() => setAsking(false)}
        >
          {effect ? <Effect effect={effect} /> : RESET.purpose}
        </ConfirmDialog>
      )}
    </>
  );
}

function Effect({ effect }: { effect: Dashboard["reset"] }) {
  const { waitingMessages, runningCampaigns, sentToday } = effect;
  const figures = [
    [waitingMessages, RESET.messages],
    [runningCampaigns, RESET.campaigns],
    [waitingMessages, RESET.refunded],
  ] as const;
  return (
    <>
      <p>
        {waitingMessages + runningCampaigns === 0
          ? RESET.nothing
          : `${RESET.effect(waitingMessages, runningCampaigns)} ${RESET.untouched(sentToday)}`}
      </p>
      <dl className="my-4 grid grid-cols-3 gap-px overflow-hidden rounded-field border border-base-300 text-center">
        {figures.map(([value, label]) => (
          <div key={label} className="fig flex flex-col-reverse p-3">
            <dt className="text-xs text-ink-2">{label}</dt>
            <dd className="text-xl font-extrabold">
              <Num>{formatNumber(value)}</Num>
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-ink-2">{RESET.onlyWhenStuck}</p>
    </>
  );
}
