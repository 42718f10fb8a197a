import { useEffect, useRef } from "react";
import { LOOKS } from "./text.ts";

interface CloseLookProps {
  onClose: () => void;
  className?: string;
}

/** The button that ends a look. It takes the focus, because the button that opened the dialog is gone. */
export function CloseLook({ onClose, className = "" }: CloseLookProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button
      ref={button}
      type="button"
      className={`btn btn-secondary btn-sm ${className}`}
      onClick={onClose}
    >
      {LOOKS.close}
    </button>
  );
}
