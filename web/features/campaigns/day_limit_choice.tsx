import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CalendarRange } from "lucide-react";
import { type FormEvent, useState } from "react";
import { MAX_DAY_LIMIT } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { campaignQuery } from "./get_campaign.ts";
import { DAY_LIMIT, dayLimitSentence } from "./text/day_limit.ts";

const STANDARD = 500;

interface DayLimitChoiceProps {
  campaign: Pick<Campaign, "id" | "totalContacts" | "dayLimit">;
}

/** Shows and changes how many messages go on one day at most; nothing for a list of one. */
export function DayLimitChoice({ campaign }: DayLimitChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const { dayLimit, totalContacts } = campaign;
  if (totalContacts < 2) return null;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <span>{dayLimit === null ? DAY_LIMIT.none : dayLimitSentence(dayLimit)}</span>
      <button type="button" className="btn btn-ghost btn-sm border-base-300" onClick={() => setOpen(true)}>
        <CalendarRange className="size-4" />
        {dayLimit === null ? DAY_LIMIT.choose : DAY_LIMIT.change}
      </button>
      {isOpen && <DayLimitDialog campaign={campaign} onClose={() => setOpen(false)} />}
    </div>
  );
}

function DayLimitDialog({ campaign, onClose }: DayLimitChoiceProps & { onClose: () => void }) {
  const { id, dayLimit, totalContacts } = campaign;
  const [typed, setTyped] = useState(String(dayLimit ?? Math.min(STANDARD, totalContacts)));
  const [hasTried, setTried] = useState(false);
  const cache = useQueryClient();
  const save = useMutation({
    mutationFn: (most: number | null) =>
      apiJson<Campaign>("PATCH", `/api/campaigns/${id}`, { body: { dayLimit: most } }),
    onSuccess: (changed) => {
      cache.setQueryData(campaignQuery(id).queryKey, changed);
      onClose();
    },
    onError: (error) => showFailure(DAY_LIMIT.failedTitle, error, DAY_LIMIT.failed),
  });
  const isFine = /^\d+$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= MAX_DAY_LIMIT;

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (isFine && !save.isPending) save.mutate(Number(typed));
  }

  return (
    <Dialog title={DAY_LIMIT.title} onClose={onClose}>
      <p className="mb-4 text-sm">{DAY_LIMIT.meaning}</p>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <Field
          label={DAY_LIMIT.most}
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_DAY_LIMIT}
          value={typed}
          error={hasTried && !isFine ? DAY_LIMIT.wholeNumber(MAX_DAY_LIMIT) : undefined}
          onChange={setTyped}
        />
        <DialogFoot className="" leave={DAY_LIMIT.cancel} onLeave={onClose}>
          <BusyButton type="submit" className="btn-primary" busy={save.isPending} busyText={DAY_LIMIT.saving}>
            {DAY_LIMIT.save}
          </BusyButton>
          {dayLimit !== null && (
            <button
              type="button"
              className="btn btn-secondary"
              disabled={save.isPending}
              onClick={() => save.mutate(null)}
            >
              {DAY_LIMIT.remove}
            </button>
          )}
        </DialogFoot>
      </form>
    </Dialog>
  );
}
