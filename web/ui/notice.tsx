import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Tone } from "./mark.tsx";

interface NoticeProps {
  tone: Tone;
  icon: LucideIcon;
  lead: string;
  body?: string;
  action?: ReactNode;
  className?: string;
}

/** A sentence with a reason; an ARIA status, because it may appear by itself. */
export function Notice({ tone, icon: Icon, lead, body, action, className = "" }: NoticeProps) {
  return (
    <div className={`notice tone-${tone} ${className}`} role="status">
      <Icon />
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {/* In a narrow column the action goes below the sentence. */}
        <div className="min-w-0 flex-[1_1_14rem]">
          <b>{lead}</b> {body}
        </div>
        {action}
      </div>
    </div>
  );
}
