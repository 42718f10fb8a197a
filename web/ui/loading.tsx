import { LoaderCircle } from "lucide-react";
import { SHELL } from "../text/shell.ts";

/** The spinner for a whole screen that is loading. */
export function Loading({ text = SHELL.loading }: { text?: string }) {
  return (
    <p className="flex items-center justify-center gap-2 py-24 text-ink-2" role="status">
      <LoaderCircle className="size-5 motion-safe:animate-spin" />
      {text}
    </p>
  );
}
