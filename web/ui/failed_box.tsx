import { RefreshCw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { errorText } from "../text/error_text.ts";
import { SHELL } from "../text/shell.ts";
import { BusyButton } from "./busy_button.tsx";
import { EmptyBox } from "./empty_box.tsx";

interface FailedBoxProps {
  title: string;
  error: unknown;
  /** What is said when the server gave no sentence. */
  fallback?: string;
  onRetry: () => unknown;
}

/** Something did not arrive: what, why, and another try, which is busy for as long as its own question takes. */
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
          {SHELL.retry}
        </BusyButton>
      }
    />
  );
}
