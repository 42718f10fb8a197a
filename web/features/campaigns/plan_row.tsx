import { useQuery } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import { useNow } from "../../ui/use_now.ts";
import { forecastQuery } from "./get_forecast.ts";
import { PlanActs } from "./plan_acts.tsx";
import { dayLimitSentence } from "./text/day_limit.ts";
import { forecastSentence, PLAN } from "./text/plan.ts";

const CLOCK_STEP_MS = 10_000;

interface PlanRowProps {
  campaign: Omit<Campaign, "message">;
  /** Whether the viewer is its client. */
  isOwner: boolean;
}

/** When a planned campaign starts, what comes of it, and what its client can do. */
export function PlanRow({ campaign, isOwner }: PlanRowProps) {
  const { plan } = campaign;
  if (plan === null) return null;
  const { at, hold } = plan;
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-4">
      <div className="min-w-0">
        <p className="font-semibold">{hold === null ? PLAN.starts(at) : PLAN.wanted(at)}</p>
        {campaign.dayLimit !== null && <p className="text-ink-2">{dayLimitSentence(campaign.dayLimit)}</p>}
        {hold === null && <WhatComes id={campaign.id} at={at} />}
      </div>
      {isOwner && <PlanActs campaign={campaign} />}
    </div>
  );
}

function WhatComes({ id, at }: { id: number; at: number }) {
  const now = useNow(CLOCK_STEP_MS);
  const forecast = useQuery({ ...forecastQuery(id, at), enabled: at > now });
  return forecast.data ? <p className="text-ink-2">{forecastSentence(forecast.data, at)}</p> : null;
}
