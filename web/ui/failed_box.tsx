import { RefreshCw, TriangleAlert } from "lucide-react";
import { errorText } from "../text/error_text.ts";
import { SHELL } from "../text/shell.ts";
import { EmptyBox } from "./empty_box.tsx";

interface FailedBoxProps {
  title: string;
  error: unknown;
  /** What is said when the server gave no sentence. */
  fallback?: string;
  onRetry: () => unknown;
}

/** Something did not arrive: what, why, and another try. */
export function FailedBox({ title, error, fallback = "", onRetry }: FailedBoxProps) {
  return (
    <EmptyBox
      icon={TriangleAlert}
      title={title}
      body={errorText(error, fallback)}
      action={
        <button type="button" className="btn btn-secondary btn-sm" onClick={() => void onRetry()}>
          <RefreshCw className="size-4" />
          {SHELL.retry}
        </button>
      }
    />
  );
}
