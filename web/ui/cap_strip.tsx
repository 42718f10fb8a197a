interface CapStripProps {
  used: number;
  cap: number;
  label: string;
  tone?: string;
  /** Tone when all of it is used. */
  fullTone?: string;
  /** Height as a CSS length. */
  height?: string;
}

/** Shows the used share of a whole; amber when all of it is used, unless `fullTone` says otherwise. */
export function CapStrip(
  { used, cap, label, tone = "tone-ok", fullTone = "tone-warn", height = "0.375rem" }: CapStripProps,
) {
  const rest = Math.max(0, cap - used);
  return (
    <div className="strip grow" style={{ "--strip-h": height } as object} role="img" aria-label={label}>
      {used > 0 && <i className={rest === 0 ? fullTone : tone} style={{ flexGrow: used }} />}
      {rest > 0 && <i data-s="rest" style={{ flexGrow: rest }} />}
    </div>
  );
}
