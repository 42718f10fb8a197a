import { LoaderCircle } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode } from "react";

interface BusyButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  busy: boolean;
  /** The word shown while the act runs, e.g. "יוצר...". */
  busyText: string;
  children: ReactNode;
}

/**
 * A button that works: while busy it keeps the focus, says so, and ignores a second press. So it does with the second
 * click of a double click, which may come before the button is seen busy, or when it is idle again and does another act.
 */
export function BusyButton({ busy, busyText, children, onClick, className = "", ...rest }: BusyButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`btn ${className}`}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy || event.detail > 1) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy
        ? (
          <>
            <LoaderCircle className="size-4 motion-safe:animate-spin" />
            {busyText}
          </>
        )
        : children}
    </button>
  );
}
