import { ChevronDown, ChevronUp } from "lucide-react";
import { Link } from "react-router-dom";
import type { Risk, RiskItem } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { ANTI_BAN } from "./text.ts";
import { RiskScore } from "../../ui/risk_score.tsx";
import { type ItemPlace, VirtualList } from "../../ui/virtual_list.tsx";
import { TIER_LOOKS } from "./risk_tiers.tsx";

const FEW = 5;
const ITEM_PX = 73;

interface RiskListProps {
  tier: Risk["tiers"][number];
  isOpen: boolean;
  onToggle: () => void;
}

/** Lists devices of one tier with reason and score: five of them, or all. */
export function RiskList({ tier: { tier, count, items }, isOpen, onToggle }: RiskListProps) {
  const headingId = `risk-${tier}`;
  const hidden = count - FEW;
  return (
    <section className="sheet min-w-0 p-5" aria-labelledby={headingId}>
      <h2 id={headingId} className="flex items-center gap-2 text-lg font-bold">
        <span className={`${TIER_LOOKS[tier].tone} block h-5 w-1 rounded-full bg-tone`} aria-hidden="true" />
        {ANTI_BAN.tier[tier]}
        <span className="ms-auto text-sm font-normal text-ink-3">{ANTI_BAN.devices(count)}</span>
      </h2>
      {count === 0 && <p className="mt-3 text-sm text-ink-2">{ANTI_BAN.empty[tier]}</p>}
      {isOpen
        ? (
          <VirtualList
            label={ANTI_BAN.listOf(ANTI_BAN.tier[tier])}
            items={items}
            keyOf={({ deviceId }) => deviceId}
            itemPx={ITEM_PX}
            renderItem={(item, place) => <RiskRow item={item} place={place} />}
          />
        )
        : (
          <ul className="mt-1 divide-y divide-base-300">
            {items.slice(0, FEW).map((item) => <RiskRow key={item.deviceId} item={item} />)}
          </ul>
        )}
      {hidden > 0 && (
        <button
          type="button"
          className="mt-3 inline-flex cursor-pointer items-center gap-1 text-sm font-semibold text-primary"
          aria-expanded={isOpen}
          onClick={onToggle}
        >
          {isOpen ? ANTI_BAN.less : ANTI_BAN.more(hidden)}
          {isOpen ? <ChevronUp className="size-4" /> : <ChevronDown className="size-4" />}
        </button>
      )}
    </section>
  );
}

function RiskRow({ item, place }: { item: RiskItem; place?: ItemPlace }) {
  return (
    <li {...place} className="flex items-center gap-3 py-3">
      <div className="min-w-0 grow">
        <Link to={ADMIN_PATHS.device(item.deviceId)} className="font-semibold hover:underline">
          <bdi>{item.name}</bdi>
        </Link>
        <p className="text-sm text-ink-2" title={item.reasons.join(" ")}>{item.reason}</p>
      </div>
      <span className="text-lg">
        <span className="sr-only">{ANTI_BAN.score}</span>
        <RiskScore score={item.score} isBare />
      </span>
    </li>
  );
}
