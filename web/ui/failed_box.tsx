import { RefreshCw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { errorText } from "../text/error_text.ts";
import { ACTS } from "../text/acts.ts";
import { SHELL } from "../text/shell.ts";
import { BusyButton } from "./busy_button.tsx";
import { EmptyBox } from "./empty_box.tsx";

interface FailedBoxProps {
  title: string;
  error: unknown;
  /** Text when the server gave no sentence. */
  fallback?: string;
  onRetry: () => unknown;
}

/** Shown for a failed load: the subject, the reason, and a retry button that is busy during its own request. */
export function FailedBox({ title, error, fallback = "", onRetry }: FailedBoxProps) {
  const [isBusy, setBusy] = useState(false);

  async function retry() {
    setBusy(true);
    await onRetry();
    setBusy(false);
  }

  return (
    <EmptyBox
      icon={TriangleAlert}
      title={title}
      body={errorText(error, fallback)}
      action={
        <BusyButton
          className="btn-secondary btn-sm"
          busy={isBusy}
          busyText={SHELL.loading}
          onClick={() => void retry()}
        >
          <RefreshCw className="size-4" />
          {ACTS.retry}
        </BusyButton>
      }
    />
  );
}
