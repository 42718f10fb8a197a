import { ShieldAlert, ShieldCheck, TriangleAlert } from "lucide-react";
import type { Risk, RiskTier } from "shared/admin_api.ts";
import { ANTI_BAN } from "./text.ts";
import { formatNumber } from "../../text/format.ts";
import { CapStrip } from "../../ui/cap_strip.tsx";
import { Num } from "../../ui/num.tsx";

export const TIER_LOOKS: Record<RiskTier, { tone: string; icon: typeof ShieldCheck }> = {
  high: { tone: "tone-bad", icon: ShieldAlert },
  medium: { tone: "tone-warn", icon: TriangleAlert },
  low: { tone: "tone-ok", icon: ShieldCheck },
};

/** Shows each tier's number of devices and its share of the fleet. */
export function RiskTiers({ tiers }: { tiers: Risk["tiers"] }) {
  return (
    <section className="sheet figs figs-3 max-sm:[--cols-narrow:1]" aria-label={ANTI_BAN.tiers}>
      {tiers.map(({ tier, count, percent }) => {
        const { tone, icon: Icon } = TIER_LOOKS[tier];
        return (
          <article key={tier} className="fig">
            <div className="flex flex-wrap items-center gap-x-2">
              <span className={`${tone} text-tone`}>
                <Icon className="size-5" />
              </span>
              <h2 className="font-bold">{ANTI_BAN.tier[tier]}</h2>
              <span className="ms-auto text-xs text-ink-3">{ANTI_BAN.rule[tier]}</span>
            </div>
            <div className="mt-2 flex items-baseline gap-2">
              <span className="text-4xl font-extrabold tracking-tight">
                <Num>{formatNumber(count)}</Num>
              </span>
              <span className="text-sm text-ink-2">
                {ANTI_BAN.devicesWord} · <Num>{`${percent}%`}</Num>
              </span>
            </div>
            <div className="mt-3 flex">
              <CapStrip
                used={percent}
                cap={100}
                tone={tone}
                fullTone={tone}
                height="0.5rem"
                label={ANTI_BAN.share(percent)}
              />
            </div>
          </article>
        );
      })}
    </section>
  );
}
