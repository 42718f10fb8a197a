import type { ReactNode } from "react";

interface PageHeadProps {
  heading: string;
  /** State mark beside the heading. */
  mark?: ReactNode;
  /** One line under the heading. */
  children?: ReactNode;
  acts?: ReactNode;
}

/** The head of an administrators' screen: heading, one line about it, and actions at the end. */
export function PageHead({ heading, mark, children, acts }: PageHeadProps) {
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-2xl font-extrabold tracking-tight wrap-anywhere">{heading}</h1>
          {mark}
        </div>
        {children && <p className="mt-1 text-sm text-ink-2">{children}</p>}
      </div>
      {acts && <div className="flex flex-wrap gap-2">{acts}</div>}
    </div>
  );
}
