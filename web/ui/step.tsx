import { Check } from "lucide-react";
import type { ReactNode } from "react";

const NUMBER_LOOK = {
  active: "bg-primary text-primary-content",
  waiting: "bg-base-100 text-ink-2 ring-1 ring-edge",
  done: "tone-ok bg-base-100 text-tone ring-1 ring-current",
};

interface StepProps {
  number: number;
  title: string;
  /** Makes the heading focusable. */
  headingId?: string;
  state: keyof typeof NUMBER_LOOK;
  children: ReactNode;
}

/** One numbered step on a vertical line; a completed step has a check instead of its number. */
export function Step({ number, title, headingId, state, children }: StepProps) {
  return (
    <li
      className="relative grid grid-cols-[1.75rem_1fr] gap-x-3 pb-6 last:pb-0"
      aria-current={state === "active" ? "step" : undefined}
    >
      <span className="absolute inset-y-0 start-[0.8125rem] w-px bg-base-300" aria-hidden="true" />
      <span
        className={`relative grid size-7 place-items-center rounded-selector text-sm font-bold ${
          NUMBER_LOOK[state]
        }`}
        aria-hidden="true"
      >
        {state === "done" ? <Check className="size-4" /> : number}
      </span>
      <div className="min-w-0">
        <h3 id={headingId} tabIndex={headingId ? -1 : undefined} className="mb-3 leading-7 font-bold">
          {title}
        </h3>
        {children}
      </div>
    </li>
  );
}
