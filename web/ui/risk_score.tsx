import { ShieldAlert, ShieldCheck, TriangleAlert } from "lucide-react";
import { Num } from "./num.tsx";

/** Lowest scores of high and of medium risk. */
export const HIGH_RISK = 70;
export const MEDIUM_RISK = 30;

const LOOKS = {
  high: { tone: "tone-bad", icon: ShieldAlert },
  medium: { tone: "tone-warn", icon: TriangleAlert },
  low: { tone: "tone-ok", icon: ShieldCheck },
};

/** Returns the tier of a score: red from 70, yellow from 30, green below. */
function riskTier(score: number): keyof typeof LOOKS {
  if (score >= HIGH_RISK) return "high";
  return score >= MEDIUM_RISK ? "medium" : "low";
}

/** A risk score with its tier's icon and colour: "12%", or "12" when bare. */
export function RiskScore({ score, isBare = false }: { score: number; isBare?: boolean }) {
  const { tone, icon: Icon } = LOOKS[riskTier(score)];
  return (
    <span className={`${tone} inline-flex items-center gap-1 font-bold text-tone`}>
      <Icon className="size-4" />
      <Num>{isBare ? score : `${score}%`}</Num>
    </span>
  );
}
