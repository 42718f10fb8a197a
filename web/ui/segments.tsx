interface SegmentsProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  chosen: Value;
  onChoose: (value: Value) => void;
  /** Lets long labels take more than one line on a phone. */
  wraps?: boolean;
}

/** More segments than this do not fit in one line on a phone. */
const IN_A_LINE = 5;

/** One choice of a few, all visible; the pressed one is inverted. */
export function Segments<Value extends string>(
  { label, options, chosen, onChoose, wraps = false }: SegmentsProps<Value>,
) {
  const isLine = options.length <= IN_A_LINE && !wraps;
  return (
    <div
      className={isLine ? "join max-w-full overflow-x-auto" : "flex flex-wrap gap-1.5"}
      role="group"
      aria-label={label}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={`btn seg max-sm:px-3 ${isLine ? "join-item" : ""}`}
          aria-pressed={option.value === chosen}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
