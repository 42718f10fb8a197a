/** Position of the moving head in each of the ten rows, and the resting cells after it; drawn, not measured. */
const ROWS: readonly { head: number; resting: readonly number[] }[] = [
  { head: 11, resting: [1, 6] },
  { head: 13, resting: [1, 2] },
  { head: 12, resting: [0, 1, 2, 9] },
  { head: 15, resting: [0, 2, 4, 5] },
  { head: 14, resting: [0, 4] },
  { head: 16, resting: [0, 2, 3, 6] },
  { head: 13, resting: [2, 7] },
  { head: 14, resting: [0, 1, 3] },
  { head: 11, resting: [0, 1, 3] },
  { head: 12, resting: [0, 1] },
];
const CELLS_PER_ROW = 20;

/**
 * An illustration of two hundred phones, one cell each; labelled by `label`, hidden from screen readers without
 * one.
 */
export function FleetHero({ label }: { label?: string }) {
  const cells = ROWS.flatMap(({ head, resting }, row) =>
    Array.from({ length: CELLS_PER_ROW }, (_, cell) => {
      const state = cell === head ? "head" : cell < head && !resting.includes(cell) ? "sending" : undefined;
      return <i key={`${row}.${cell}`} data-s={state} />;
    })
  );
  return label
    ? <div className="fleet fleet-hero" role="img" aria-label={label}>{cells}</div>
    : <div className="fleet fleet-hero" aria-hidden="true">{cells}</div>;
}
