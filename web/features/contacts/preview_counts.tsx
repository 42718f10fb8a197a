import { Download } from "lucide-react";
import { useState } from "react";
import type { ImportPreview, RowReason } from "shared/staged_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Num } from "../../ui/num.tsx";
import { saveAs } from "../../ui/save_as.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { PREVIEW, reasonWhy, reasonWords } from "./text/preview.ts";

interface PreviewCountsProps {
  preview: ImportPreview;
  /** True while another choice is being looked at: the counts are those of the choice before. */
  isOld: boolean;
  onDownload: () => Promise<Blob>;
}

/** How many rows get the message, and for each reason how many do not and which. */
export function PreviewCounts({ preview, isOld, onDownload }: PreviewCountsProps) {
  const { taken, rows, leftOut } = preview;
  const rest = leftOut.map(({ reason, count }) => reasonWords(reason, count)).join(", ");
  return (
    <div className={isOld ? "opacity-60" : ""}>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <b className="text-4xl font-extrabold tracking-tight">
          <Num>{taken}</Num>
        </b>
        <span>{PREVIEW.taken(taken)}</span>
        <span className="text-sm text-ink-3">{PREVIEW.ofRows(rows)}</span>
      </p>
      <div
        className="strip my-2"
        style={{ "--strip-h": "10px" } as object}
        role="img"
        aria-label={PREVIEW.strip(taken, rest)}
      >
        {taken > 0 && <i data-s="sent" className="tone-ok" style={{ flexGrow: taken }} />}
        {leftOut.map(({ reason, count }) => (
          <i key={reason} data-s={look(reason)} className={tone(reason)} style={{ flexGrow: count }} />
        ))}
      </div>
      {leftOut.length > 0 && (
        <ul className="divide-y divide-base-300 border-y border-base-300">
          {leftOut.map((one) => (
            <li key={one.reason}>
              <Reason {...one} />
            </li>
          ))}
        </ul>
      )}
      {leftOut.length > 0 && <DownloadLeftOut onDownload={onDownload} />}
    </div>
  );
}

function look(reason: RowReason): "failed" | "skipped" {
  return reason === "not_a_number" ? "failed" : "skipped";
}

function tone(reason: RowReason): string {
  return reason === "not_a_number" ? "tone-bad" : "tone-idle";
}

function Reason({ reason, count, rows }: ImportPreview["leftOut"][number]) {
  return (
    <details className="py-2 text-sm">
      <summary className="cursor-pointer font-semibold">{reasonWords(reason, count)}</summary>
      <p className="mt-1 text-xs text-ink-3">{reasonWhy(reason)}</p>
      <ul className="mt-1 grid gap-0.5">
        {rows.map(({ row, text }) => (
          <li key={row} className="flex min-w-0 gap-3">
            <span className="shrink-0 text-ink-2">{PREVIEW.row(row)}</span>
            <bdi className="min-w-0 truncate">{text || PREVIEW.empty}</bdi>
          </li>
        ))}
      </ul>
      {count > rows.length && (
        <p className="mt-1 text-xs text-ink-3">{PREVIEW.moreRows(count - rows.length)}</p>
      )}
    </details>
  );
}

function DownloadLeftOut({ onDownload }: Pick<PreviewCountsProps, "onDownload">) {
  const [isBusy, setBusy] = useState(false);
  async function download() {
    setBusy(true);
    try {
      saveAs("left-out.csv", await onDownload());
    } catch (error) {
      showFailure(PREVIEW.downloadFailed, error, PREVIEW.downloadFallback);
    } finally {
      setBusy(false);
    }
  }
  return (
    <BusyButton
      className="btn-ghost btn-sm mt-2 border-base-300"
      busy={isBusy}
      busyText={PREVIEW.reading}
      onClick={() => void download()}
    >
      <Download className="size-4" />
      {PREVIEW.download}
    </BusyButton>
  );
}
