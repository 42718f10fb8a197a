import { CircleAlert } from "lucide-react";
import type { Failure } from "./show_failure.ts";

/** A problem under the field or file that it is about; it stays until the next try. */
export function ProblemLine({ id, title, description }: Failure & { id?: string }) {
  return (
    <p id={id} className="tone-bad mt-1.5 flex items-start gap-1.5 text-sm text-tone" role="alert">
      <CircleAlert className="mt-1 size-4" />
      <span className="min-w-0 wrap-anywhere">
        <b>{title}.</b> {description}
      </span>
    </p>
  );
}
