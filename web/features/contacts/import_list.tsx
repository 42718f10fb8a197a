import { useInfiniteQuery } from "@tanstack/react-query";
import { Copy, FileSpreadsheet, LoaderCircle, PencilLine, Users, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { CampaignImport, UploadResult } from "shared/http_api.ts";
import { formatMoment, formatNumber } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { DownloadButton } from "../../ui/download_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { isFocusLost } from "../../ui/lost_focus.ts";
import { Num } from "../../ui/num.tsx";
import { useNow } from "../../ui/use_now.ts";
import { importsQuery } from "./get_imports.ts";
import { useTakeOutImport } from "./take_out_import.ts";
import { columnSentence, IMPORTS, leftOutLine, removeEffect } from "./text/imports.ts";
import { UploadCounts } from "./upload_counts.tsx";

const MINUTE_MS = 60_000;
const ICONS = { file: FileSpreadsheet, typed: PencilLine, copy: Copy, lists: Users };

interface ImportListProps {
  campaignId: number;
  /** Contacts in the campaign now. */
  total: number;
  /** The last upload on this screen; its item shows the reasons as well. */
  last?: LastUpload;
}

export interface LastUpload {
  result: UploadResult;
  /** "" for numbers typed by hand. */
  fileName: string;
  at: number;
}

/** The campaign's total, and below it every import with its counts, its column, and a way to take it out again. */
export function ImportList({ campaignId, total, last }: ImportListProps) {
  const imports = useInfiniteQuery(importsQuery(campaignId));
  const now = useNow(MINUTE_MS);
  const [asking, setAsking] = useState<CampaignImport>();
  const takeOut = useTakeOutImport(campaignId, () => setAsking(undefined));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that asked is gone together with its import.
    if (takeOut.isSuccess && asking === undefined && isFocusLost()) list.current?.focus();
  }, [asking]);
  const listed = imports.data?.pages.flatMap((page) => page.items) ?? [];
  // The list is fetched again after an upload; its result is known before.
  const isLastMissing = last !== undefined && imports.dataUpdatedAt <= last.at &&
    !listed.some(({ id }) => id === last.result.importId);
  const items = isLastMissing ? [itemOf(last), ...listed] : listed;
  return (
    <div ref={list} tabIndex={-1} className="flex min-w-0 flex-col gap-3 outline-none">
      {total > 0 && (
        <p className="flex items-baseline gap-2">
          <b className="text-4xl font-extrabold tracking-tight">
            <Num>{total}</Num>
          </b>
          <span className="text-ink-2">{IMPORTS.inCampaign(total)}</span>
        </p>
      )}
      {imports.isError && !imports.data && (
        <FailedBox title={IMPORTS.loadFailed} error={imports.error} onRetry={imports.refetch} />
      )}
      {items.length > 0 && (
        <section className="min-w-0" aria-label={IMPORTS.heading}>
          <div className="eyebrow mb-1">{IMPORTS.heading}</div>
          <ul className="divide-y divide-base-300 rounded-field border border-base-300">
            {items.map((item) => (
              <ImportItem
                key={item.id}
                campaignId={campaignId}
                item={item}
                result={item.id === last?.result.importId ? last.result : undefined}
                now={now}
                onRemove={() => setAsking(item)}
              />
            ))}
          </ul>
          {imports.hasNextPage && (
            <BusyButton
              className="btn-ghost btn-sm mt-2 w-full border-base-300"
              busy={imports.isFetchingNextPage}
              busyText={IMPORTS.loading}
              onClick={() => void imports.fetchNextPage()}
            >
              {IMPORTS.more}
            </BusyButton>
          )}
        </section>
      )}
      {asking && (
        <ConfirmDialog
          title={IMPORTS.removeTitle}
          confirm={IMPORTS.removeConfirm}
          busyText={IMPORTS.removing}
          busy={takeOut.isPending}
          onConfirm={() => takeOut.mutate(asking.id)}
          onClose={() => setAsking(undefined)}
        >
          {removeEffect(nameOf(asking), asking.added)}
        </ConfirmDialog>
      )}
    </div>
  );
}

function itemOf({ result, fileName, at }: LastUpload): CampaignImport {
  return {
    id: result.importId,
    source: fileName === "" ? "typed" : "file",
    fileName,
    status: "completed",
    error: null,
    at,
    column: null,
    added: result.total,
    duplicates: result.duplicatesRemoved,
    invalid: result.invalid,
    suppressed: result.suppressed,
    withoutConsent: result.withoutConsent,
    hasRejected: result.problems.length > 0,
  };
}

function nameOf({ source, fileName }: CampaignImport): string {
  return source === "file" ? fileName : IMPORTS[source];
}

interface ImportItemProps {
  campaignId: number;
  item: CampaignImport;
  /** The result of the upload, if it was made on this screen. */
  result: UploadResult | undefined;
  now: number;
  onRemove: () => void;
}

function ImportItem({ campaignId, item, result, now, onRemove }: ImportItemProps) {
  const { id, source, status, error, added, column, hasRejected, invalid } = item;
  const Icon = ICONS[source];
  const isOver = status === "completed" || status === "error";
  const leftOut = leftOutLine(item);
  return (
    <li className="px-3 py-2.5 text-sm">
      <div className="flex items-center gap-2">
        <Icon className="size-4 text-ink-2" />
        <bdi className="line-clamp-2 min-w-0 font-semibold wrap-anywhere" title={nameOf(item)}>
          {nameOf(item)}
        </bdi>
        <span className="shrink-0 text-xs text-ink-3">{formatMoment(item.at, now)}</span>
        {isOver && (
          <button
            type="button"
            className="btn btn-ghost btn-square btn-sm ms-auto -me-1.5 shrink-0"
            aria-label={IMPORTS.removeOf(nameOf(item))}
            title={IMPORTS.remove}
            onClick={onRemove}
          >
            <X className="size-4" />
          </button>
        )}
      </div>
      {result ? <UploadCounts campaignId={campaignId} result={result} /> : isOver
        ? (
          <div>
            {status === "error" ? <span className="tone-bad text-tone">{error}</span> : (
              <>
                {added > 0 && (
                  <b>
                    <Num>{added}</Num>
                    {" "}
                  </b>
                )}
                {IMPORTS.added(added)}
              </>
            )}
            {leftOut && <span className="text-ink-2">&#32;· {leftOut}</span>}
          </div>
        )
        : (
          <div className="flex items-center gap-1.5 text-ink-2">
            <LoaderCircle className="size-4 motion-safe:animate-spin" />
            {IMPORTS[status]}
          </div>
        )}
      {column && <div className="text-xs text-ink-3">{columnSentence(column)}</div>}
      {hasRejected && !result && (
        <DownloadButton
          path={`/api/campaigns/${campaignId}/imports/${id}/rejected.csv`}
          fileName={`rejected-${id}.csv`}
          className="btn-ghost btn-xs -ms-2 mt-0.5"
        >
          {IMPORTS.rejected}
          {invalid > 0 && ` (${formatNumber(invalid)})`}
        </DownloadButton>
      )}
    </li>
  );
}
