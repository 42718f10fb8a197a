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
      <div className="min-w-0">
        <b>{lead}</b> {body}
      </div>
      {action}
    </div>
  );
}
