import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { apiRequest } from "../data/api_client.ts";
import { DOWNLOAD } from "../text/download.ts";
import { BusyButton } from "./busy_button.tsx";
import { saveAs } from "./save_as.ts";
import { showFailure } from "./show_failure.ts";
import { showToast } from "./toast_store.ts";

interface DownloadButtonProps {
  path: string;
  fileName: string;
  className: string;
  /** The reason why the file would not be the intended one; shown instead of a download. */
  problem?: string;
  children: ReactNode;
}

/** Fetches a file and passes it to the browser; unlike a link it shows progress and failures. */
export function DownloadButton({ path, fileName, className, problem, children }: DownloadButtonProps) {
  const [isBusy, setBusy] = useState(false);
  async function download() {
    if (problem !== undefined) {
      return showToast({ title: DOWNLOAD.failedTitle, description: problem, tone: "bad" });
    }
    setBusy(true);
    try {
      saveAs(fileName, await (await apiRequest("GET", path)).blob());
    } catch (error) {
      showFailure(DOWNLOAD.failedTitle, error, DOWNLOAD.failed);
    } finally {
      setBusy(false);
    }
  }
  return (
    <BusyButton
      className={className}
      busy={isBusy}
      busyText={DOWNLOAD.pending}
      onClick={() => void download()}
    >
      <Download className="size-4" />
      {children}
    </BusyButton>
  );
}
