import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyBoxProps {
  icon: LucideIcon;
  title: string;
  body?: string;
  action?: ReactNode;
}

/** Shown for an empty or missing list: the meaning and the next step. */
export function EmptyBox({ icon: Icon, title, body, action }: EmptyBoxProps) {
  return (
    <div className="grid justify-items-center gap-1 rounded-box border border-dashed border-edge px-6 py-8 text-center">
      <Icon className="mb-2 size-8 text-ink-3" />
      <p className="font-bold">{title}</p>
      {body && <p className="max-w-xs text-sm text-ink-2">{body}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
