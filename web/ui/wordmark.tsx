import { SHELL } from "../text/shell.ts";

const SIZES = {
  small: ["size-6", "text-base font-bold"],
  header: ["size-8", "text-xl font-extrabold tracking-tight leading-none"],
  large: ["size-9", "text-2xl font-extrabold tracking-tight leading-none"],
  hero: ["size-11", "text-3xl font-extrabold tracking-tight leading-none"],
} as const;

interface WordmarkProps {
  size: keyof typeof SIZES;
  hasWord?: boolean;
}

/** The logo and the name. */
export function Wordmark({ size, hasWord = true }: WordmarkProps) {
  const [mark, word] = SIZES[size];
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" className={`${mark} shrink-0`} aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--logo-ground)" />
        <g fill="#f7f7f2">
          <rect x="14" y="7.5" width="11.5" height="3.6" rx="1.8" opacity=".6" />
          <rect x="11.5" y="14.2" width="14" height="3.6" rx="1.8" />
          <rect x="17" y="20.9" width="8.5" height="3.6" rx="1.8" opacity=".6" />
        </g>
        <circle cx="7.3" cy="16" r="2.5" fill="var(--color-accent)" />
      </svg>
      {hasWord && <span className={word}>{SHELL.brand}</span>}
    </span>
  );
}
