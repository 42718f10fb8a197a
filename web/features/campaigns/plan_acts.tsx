import { CalendarClock, CalendarX, Send } from "lucide-react";
import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { useNow } from "../../ui/use_now.ts";
import { useCallOff, useMovePlan } from "./change_plan.ts";
import { beginChoice, momentOf } from "./plan_choice.ts";
import { PlanFields } from "./plan_fields.tsx";
import { PLAN } from "./text/plan.ts";

const CLOCK_STEP_MS = 10_000;

type Planned = Pick<Campaign, "id" | "name" | "counts" | "plan">;

/** Buttons for a planned campaign: another time, now, or not at all. */
export function PlanActs({ campaign }: { campaign: Planned }) {
  const [asking, setAsking] = useState<"move" | "start" | "callOff">();
  const close = () => setAsking(undefined);
  const start = useMovePlan(campaign, close);
  const callOff = useCallOff(campaign, close);
  const { name, counts, plan } = campaign;
  const isHeld = plan?.hold !== null;
  return (
    <div className="flex flex-wrap gap-2">
      <button
        type="button"
        className={isHeld ? "btn btn-primary" : "btn btn-secondary"}
        aria-haspopup="dialog"
        onClick={() => setAsking("move")}
      >
        <CalendarClock className="size-4" />
        {PLAN.move}
      </button>
      <button
        type="button"
        className="btn btn-ghost border-base-300"
        aria-haspopup="dialog"
        onClick={() => setAsking("start")}
      >
        <Send className="size-4 -scale-x-100" />
        {PLAN.startNow}
      </button>
      <button
        type="button"
        className="btn btn-ghost border-base-300 tone-bad text-tone"
        aria-haspopup="dialog"
        onClick={() => setAsking("callOff")}
      >
        <CalendarX className="size-4" />
        {PLAN.callOff}
      </button>
      {asking === "move" && <MoveDialog campaign={campaign} onClose={close} />}
      {asking === "start" && (
        <ConfirmDialog
          title={PLAN.startTitle(name)}
          confirm={PLAN.startNow}
          busyText={PLAN.startingNow}
          busy={start.isPending}
          isDestructive={false}
          isCareful
          leave={PLAN.keep}
          onConfirm={() => start.mutate(null, { onError: close })}
          onClose={close}
        >
          {PLAN.startBody(counts.queued)}
        </ConfirmDialog>
      )}
      {asking === "callOff" && (
        <ConfirmDialog
          title={PLAN.callOffTitle(name)}
          confirm={PLAN.callOff}
          busyText={PLAN.callingOff}
          busy={callOff.isPending}
          leave={PLAN.keep}
          onConfirm={() => callOff.mutate(undefined, { onError: close })}
          onClose={close}
        >
          {PLAN.callOffBody(counts.queued)}
        </ConfirmDialog>
      )}
    </div>
  );
}

function MoveDialog({ campaign, onClose }: { campaign: Planned; onClose: () => void }) {
  const now = useNow(CLOCK_STEP_MS);
  const [choice, setChoice] = useState(() => beginChoice(now, campaign.plan?.at ?? null));
  const [hasTried, setTried] = useState(false);
  const move = useMovePlan(campaign, onClose);
  const moment = momentOf(choice, now);

  function press() {
    setTried(true);
    if (moment.at !== undefined) move.mutate(moment.at);
  }

  return (
    <Dialog title={PLAN.moveTitle(campaign.name)} onClose={onClose}>
      <PlanFields
        campaignId={campaign.id}
        choice={choice}
        onChange={setChoice}
        now={now}
        problem={hasTried ? moment.problem : undefined}
      />
      <DialogFoot leave={PLAN.keep} onLeave={onClose}>
        <BusyButton
          className="btn-primary grow"
          busy={move.isPending}
          busyText={PLAN.moving}
          onClick={press}
        >
          {PLAN.moveConfirm}
        </BusyButton>
      </DialogFoot>
    </Dialog>
  );
}
