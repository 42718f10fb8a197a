import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Campaign, Pilot } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { PILOT, pilotSentence } from "./text/pilot.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { campaignQuery } from "./get_campaign.ts";

/** The server's limits; the wave must also be shorter than the list. */
const MOST = { count: 10_000, waitMinutes: 24 * 60 };
const STANDARD = { share: 0.1, atLeast: 10, atMost: 100, waitMinutes: 60 };
const WHOLE_NUMBER = { type: "number", inputMode: "numeric", min: 1 } as const;

interface PilotChoiceProps {
  campaign: Pick<Campaign, "id" | "totalContacts" | "pilot">;
}

/** Shows and changes the choice of a pilot wave; nothing for a list that is too short for one. */
export function PilotChoice({ campaign }: PilotChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const { pilot, totalContacts } = campaign;
  if (totalContacts < 2) return null;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <span>{pilot ? pilotSentence(pilot) : PILOT.none}</span>
      <button type="button" className="btn btn-ghost btn-sm border-base-300" onClick={() => setOpen(true)}>
        <FlaskConical className="size-4" />
        {pilot ? PILOT.change : PILOT.choose}
      </button>
      {isOpen && <PilotDialog campaign={campaign} onClose={() => setOpen(false)} />}
    </div>
  );
}

function PilotDialog({ campaign, onClose }: PilotChoiceProps & { onClose: () => void }) {
  const { id, totalContacts, pilot } = campaign;
  const most = { ...MOST, count: Math.min(MOST.count, totalContacts - 1) };
  const [count, setCount] = useState(String(pilot?.count ?? standardCount(most.count)));
  const [waitMinutes, setWaitMinutes] = useState(String(pilot?.waitMinutes ?? STANDARD.waitMinutes));
  const [hasTried, setTried] = useState(false);
  const cache = useQueryClient();
  const save = useMutation({
    mutationFn: (chosen: Pilot | null) =>
      apiJson<Campaign>("PATCH", `/api/campaigns/${id}`, { body: { pilot: chosen } }),
    onSuccess: (changed) => {
      cache.setQueryData(campaignQuery(id).queryKey, changed);
      onClose();
    },
    onError: (error) => showFailure(PILOT.failedTitle, error, PILOT.failed),
  });
  const problems = {
    count: problemOf(count, most.count),
    waitMinutes: problemOf(waitMinutes, most.waitMinutes),
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (save.isPending || problems.count || problems.waitMinutes) return;
    save.mutate({ count: Number(count), waitMinutes: Number(waitMinutes) });
  }

  return (
    <Dialog title={PILOT.title} onClose={onClose}>
      <p className="mb-4 text-sm">{PILOT.meaning}</p>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <Field
          label={PILOT.count}
          hint={PILOT.countHint}
          {...WHOLE_NUMBER}
          max={most.count}
          value={count}
          error={hasTried ? problems.count : undefined}
          onChange={setCount}
        />
        <Field
          label={PILOT.wait}
          hint={PILOT.waitHint}
          {...WHOLE_NUMBER}
          max={most.waitMinutes}
          value={waitMinutes}
          error={hasTried ? problems.waitMinutes : undefined}
          onChange={setWaitMinutes}
        />
        <DialogFoot className="" leave={PILOT.cancel} onLeave={onClose}>
          <BusyButton type="submit" className="btn-primary" busy={save.isPending} busyText={PILOT.saving}>
            {PILOT.save}
          </BusyButton>
          {pilot && (
            <button
              type="button"
              className="btn btn-secondary"
              disabled={save.isPending}
              onClick={() => save.mutate(null)}
            >
              {PILOT.remove}
            </button>
          )}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** Returns a tenth of the list, within limits: enough to show something, few enough to limit a failure. */
function standardCount(most: number): number {
  const tenth = Math.round((most + 1) * STANDARD.share);
  return Math.min(most, STANDARD.atMost, Math.max(STANDARD.atLeast, tenth));
}

function problemOf(typed: string, most: number): string | undefined {
  const isFine = /^\d+$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= most;
  return isFine ? undefined : PILOT.wholeNumber(most);
}
