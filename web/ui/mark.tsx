import type { LucideIcon } from "lucide-react";

export type Tone = "ok" | "live" | "idle" | "warn" | "bad" | "unsure";

export interface MarkLook {
  tone: Tone | "working";
  icon: LucideIcon;
  label: string;
}

/** A state with tone, icon and word. Only the working mark is prominent, with a turning icon. */
export function Mark({ tone, icon: Icon, label }: MarkLook) {
  const working = tone === "working";
  return (
    <span className={`mark ${working ? "mark-working" : `tone-${tone}`}`}>
      <Icon className={working ? "motion-safe:animate-spin" : ""} />
      {label}
    </span>
  );
}
