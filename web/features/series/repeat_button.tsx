import { Repeat } from "lucide-react";
import { useState } from "react";
import type { OneSeries } from "shared/series_api.ts";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { SERIES } from "./text.ts";

const RepeatDialog = lazyPart(async () => (await import("./repeat_dialog.tsx")).RepeatDialog);

/** Opens the choice of lists, days and hour for a repeat with a campaign's words. */
export function RepeatButton(
  { campaign, onCreated }: {
    campaign: { id: number; name: string };
    onCreated: (series: OneSeries) => void;
  },
) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost border-base-300"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Repeat className="size-4" />
        {SERIES.open}
      </button>
      {isOpen && <RepeatDialog campaign={campaign} onCreated={onCreated} onClose={() => setOpen(false)} />}
    </>
  );
}
