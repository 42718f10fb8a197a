interface SkeletonProps {
  /** Text about what is loading: "טוען מכשירים...". */
  text: string;
  rows?: number;
}

/** A placeholder for a list that is loading, with a text for screen readers. */
export function Skeleton({ text, rows = 3 }: SkeletonProps) {
  return (
    <div className="flex flex-col gap-3" role="status">
      {Array.from(
        { length: rows },
        (_, row) => (
          <div key={row} className="flex items-center justify-between gap-4" aria-hidden="true">
            <span className="skeleton h-5 w-40 max-w-1/2" />
            <span className="skeleton h-5 w-20" />
          </div>
        ),
      )}
      <p className="text-sm text-ink-2">{text}</p>
    </div>
  );
}
