import { LoaderCircle } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode } from "react";

interface BusyButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  busy: boolean;
  /** Text during the action, e.g. "יוצר...". */
  busyText: string;
  children: ReactNode;
}

/**
 * A button for an action: while busy it keeps the focus, says so, and ignores further presses. It also ignores the
 * second click of a double click. That click may come before the busy state is visible, or when the button is idle
 * again with another action.
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
