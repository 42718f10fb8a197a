import { ArrowDown, ArrowUp } from "lucide-react";
import { RISE } from "../../text/rise.ts";
import { formatNumber } from "../../text/format.ts";
import { percentOf } from "../../text/percent.ts";
import { Num } from "../../ui/num.tsx";

/** A change in words and with an arrow: in percent, or in messages when there were none before. */
export function ChangeOf({ value, before }: { value: number; before: number }) {
  const change = value - before;
  if (change === 0) return <Num>0%</Num>;
  const isRise = change > 0;
  const Arrow = isRise ? ArrowUp : ArrowDown;
  const size = before === 0 ? formatNumber(change) : percentOf(Math.abs(change), before);
  return (
    <span
      className={`${isRise ? "tone-ok" : "tone-warn"} inline-flex items-center gap-1 font-bold text-tone`}
    >
      <Arrow className="size-3.5" />
      <span className="sr-only">{isRise ? RISE.rose : RISE.fell}</span>
      <Num>{size}</Num>
    </span>
  );
}
