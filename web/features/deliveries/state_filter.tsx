import type { CampaignCounts } from "shared/campaign.ts";
import type { DeliveryState } from "shared/delivery.ts";
import { DETAIL } from "../../text/campaign_detail.ts";
import { DELIVERY_STATE_PLURALS } from "../../text/delivery_states.ts";
import { Num } from "../../ui/num.tsx";
import { DELIVERY_LOOKS } from "./delivery_mark.tsx";

const ORDER: readonly DeliveryState[] = [
  "sent",
  "leased",
  "queued",
  "failed",
  "unknown",
  "skipped",
  "cancelled",
];

interface StateFilterProps {
  counts: CampaignCounts;
  chosen: DeliveryState | undefined;
  onChoose: (state: DeliveryState | undefined) => void;
}

/** The strip's legend, which filters the recipients; a second press on the chosen state shows all. */
export function StateFilter({ counts, chosen, onChoose }: StateFilterProps) {
  return (
    <div className="mt-4 flex flex-wrap gap-2" role="group" aria-label={DETAIL.filter}>
      {ORDER.filter((state) => counts[state] > 0 || state === chosen).map((state) => {
        const { tone, icon: Icon } = DELIVERY_LOOKS[state];
        return (
          <button
            key={state}
            type="button"
            className={`leg tone-${tone}`}
            aria-pressed={state === chosen}
            onClick={() => onChoose(state === chosen ? undefined : state)}
          >
            <Icon className="size-4 text-tone" />
            <span>{DELIVERY_STATE_PLURALS[state]}</span>
            <b>
              <Num>{counts[state]}</Num>
            </b>
          </button>
        );
      })}
    </div>
  );
}
