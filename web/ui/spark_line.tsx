const WIDTH = 96;
const HEIGHT = 30;
const PAD = 4;

/** The trend of one figure, oldest at the left. Missing measurements are left out; a single point draws no line. */
export function SparkLine({ points }: { points: readonly (number | null)[] }) {
  const measured = points.flatMap((value, index) => value === null ? [] : [{ value, index }]);
  if (measured.length < 2) return null;
  const values = measured.map(({ value }) => value);
  const least = Math.min(...values);
  const range = Math.max(...values) - least || 1;
  const places = measured.map(({ value, index }) => ({
    x: PAD + (index / (points.length - 1)) * (WIDTH - 2 * PAD),
    y: HEIGHT - PAD - ((value - least) / range) * (HEIGHT - 2 * PAD),
  }));
  const last = places.at(-1)!;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="tone-live hidden h-[30px] w-24 min-w-0 text-tone sm:block"
      aria-hidden="true"
    >
      <polyline
        points={places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx={last.x} cy={last.y} r="3" fill="currentColor" />
    </svg>
  );
}
