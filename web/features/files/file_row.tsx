import { CircleCheck, Clock, FileSpreadsheet, LoaderCircle, OctagonX } from "lucide-react";
import type { FileItem } from "shared/admin_api.ts";
import { FILES } from "./text.ts";
import { formatMoment, formatNumber } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { DownloadButton } from "../../ui/download_button.tsx";
import { Mark, type MarkLook } from "../../ui/mark.tsx";
import { Num } from "../../ui/num.tsx";
import type { ItemPlace } from "../../ui/virtual_list.tsx";
import { useRetryFile } from "./upload_file.ts";

const LOOKS: Record<FileItem["status"], Omit<MarkLook, "label">> = {
  queued: { tone: "idle", icon: Clock },
  processing: { tone: "working", icon: LoaderCircle },
  completed: { tone: "ok", icon: CircleCheck },
  error: { tone: "bad", icon: OctagonX },
};

interface FileRowProps {
  file: FileItem;
  now: number;
  place: ItemPlace;
}

/** One file: its target, progress, result, or the reason of its failure. */
export function FileRow({ file, now, place }: FileRowProps) {
  const { status, target } = file;
  return (
    <li {...place} className="px-5 py-4">
      <div className="flex items-start gap-3">
        <FileSpreadsheet className="mt-0.5 size-5 text-ink-2" />
        <div className="min-w-0 grow">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <h3 className="flex min-w-0 font-semibold" title={file.name}>
              <bdi className="truncate">{file.name}</bdi>
            </h3>
            <Mark {...LOOKS[status]} label={FILES.statuses[status]} />
          </div>
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-ink-2">
            <span className="wrap-anywhere">
              {target.kind === "campaign"
                ? FILES.targetOf(target.client, target.campaign)
                : FILES.targetSuppressions}
            </span>
            <span>{status === "queued" ? FILES.waitsInLine : rowsOf(file)}</span>
            <span>{formatMoment(file.startedAt ?? file.timestamp, now)}</span>
            {file.by && <span>{FILES.by(file.by)}</span>}
          </p>
          {status === "processing" && <Progress percent={file.progress} />}
          {status === "completed" && <Outcome file={file} />}
          {status === "error" && <Failure file={file} />}
        </div>
      </div>
    </li>
  );
}

/** The total is known only after the file was read. */
function rowsOf({ processedRows, totalRows }: FileItem): string {
  return totalRows === 0 ? FILES.rowsSoFar(processedRows) : FILES.rows(processedRows, totalRows);
}

function Progress({ percent }: { percent: number }) {
  return (
    <div className="mt-3 flex items-center gap-3">
      <div
        className="strip grow"
        role="progressbar"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={FILES.progress(percent)}
      >
        {percent > 0 && <i className="tone-live" style={{ flexGrow: percent }} />}
        <i data-s="head" />
        {percent < 100 && <i data-s="rest" style={{ flexGrow: 100 - percent }} />}
      </div>
      <b className="text-sm">
        <Num>{`${percent}%`}</Num>
      </b>
    </div>
  );
}

function Outcome({ file }: { file: FileItem }) {
  const isList = file.target.kind === "suppressions";
  const rest = [
    [file.duplicates, (isList ? FILES.alreadyThere : FILES.duplicates)(file.duplicates)],
    [file.invalid, FILES.invalid(file.invalid)],
    [file.suppressed, FILES.suppressed(file.suppressed)],
    [file.withoutConsent, FILES.withoutConsent],
  ] as const;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <span>
        <b>
          <Num>{formatNumber(file.added)}</Num>
        </b>{" "}
        {isList ? FILES.addedToList(file.added) : FILES.added(file.added)}
      </span>
      {rest.map(([count, words]) =>
        count > 0 && (
          <span key={words} className="text-ink-2">
            <Num>{formatNumber(count)}</Num> {words}
          </span>
        )
      )}
      {file.hasRejected && <RejectedButton file={file} />}
    </p>
  );
}

function RejectedButton({ file }: { file: FileItem }) {
  return (
    <DownloadButton
      path={`/api/admin/files/${file.id}/rejected.csv`}
      fileName={`rejected-${file.id}.csv`}
      className="btn-ghost btn-xs font-semibold text-primary"
    >
      {FILES.rejected}
    </DownloadButton>
  );
}

function Failure({ file }: { file: FileItem }) {
  const retry = useRetryFile();
  return (
    <div className="notice tone-bad mt-3">
      <OctagonX />
      <div className="min-w-0">
        <b>{FILES.error}</b>
        {file.error && <p>{file.error}</p>}
        {!file.canRetry && <p>{FILES.uploadAgain}</p>}
        {file.hasRejected && <RejectedButton file={file} />}
      </div>
      {file.canRetry && (
        <BusyButton
          className="btn-sm btn-secondary"
          busy={retry.isPending}
          busyText={FILES.retrying}
          onClick={() => retry.mutate(file.id)}
        >
          {FILES.retry}
        </BusyButton>
      )}
    </div>
  );
}
