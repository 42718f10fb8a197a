import type { ReactNode } from "react";

interface SectionProps {
  id: string;
  heading: string;
  /** Beside the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One sheet of a report; on paper it begins on a page where its heading is not alone. */
export function Section({ id, heading, aside, children }: SectionProps) {
  return (
    <section className="sheet mt-4 min-w-0 p-5 paper-sheet">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 break-after-avoid">
        <h2 id={id} className="text-lg font-bold">{heading}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

interface ReportTableProps {
  caption: string;
  heads: readonly string[];
  children: ReactNode;
}

/** A table in a region of its own that scrolls sideways on a phone. */
export function ReportTable({ caption, heads, children }: ReportTableProps) {
  return (
    <div className="relative overflow-x-auto" role="region" tabIndex={0} aria-label={caption}>
      <table className="grid-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>{heads.map((head) => <th key={head} scope="col">{head}</th>)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
