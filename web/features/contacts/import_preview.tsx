import { useMutation, useQuery } from "@tanstack/react-query";
import { Info, LoaderCircle, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Consent } from "shared/consent.ts";
import type { UploadResult } from "shared/http_api.ts";
import type { StagedFile } from "shared/staged_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ProblemLine } from "../../ui/problem_line.tsx";
import { failureOf } from "../../ui/show_failure.ts";
import { type ChoiceDraft, choiceOf, draftOf } from "./choice_draft.ts";
import { PreviewColumns } from "./preview_columns.tsx";
import { PreviewCounts } from "./preview_counts.tsx";
import { dropStaged, fetchLeftOut, previewQuery, stageFile, takeIn } from "./staged_files.ts";
import { noteSentences, PREVIEW } from "./text/preview.ts";

interface ImportPreviewProps {
  campaignId: number;
  file: File;
  /** Whether consent is declared for the numbers, as the fields above stand now. */
  declares: boolean;
  /** Returns the declaration; null when an entry of it is missing, which the fields then say. */
  declare: () => { consent: Consent | undefined } | null;
  onTaken: (result: UploadResult) => void;
  onClose: () => void;
}

/** Shows what a file holds and what would become of its rows, and takes them in when the person says so. */
export function ImportPreview({ file, onClose, ...rest }: ImportPreviewProps) {
  const [sheet, setSheet] = useState<number>();
  const stage = useMutation({ mutationFn: (no: number | undefined) => stageFile(file, no) });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    stage.mutate(undefined);
  }, []);
  // A file that is looked at no longer is not kept for an hour.
  const id = stage.data?.id;
  useEffect(() => () => {
    if (id !== undefined) dropStaged(id);
  }, [id]);
  const failure = stage.isError
    ? failureOf(PREVIEW.readFailed, stage.error, PREVIEW.readFallback)
    : undefined;
  return (
    <section className="flex min-w-0 flex-col gap-4" aria-labelledby="preview-h">
      <h3 id="preview-h" ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {PREVIEW.heading}
      </h3>
      {stage.isPending && (
        <p className="flex items-center gap-2 text-ink-2" role="status">
          <LoaderCircle className="size-4 motion-safe:animate-spin" />
          {PREVIEW.reading}
        </p>
      )}
      {failure && <ProblemLine {...failure} />}
      {stage.data && !stage.isPending && (
        <Staged
          key={stage.data.id}
          {...rest}
          file={stage.data}
          sheet={sheet ?? stage.data.sheet}
          onSheet={(no) => {
            setSheet(no);
            stage.mutate(no);
          }}
          onClose={onClose}
        />
      )}
      {!stage.data && !stage.isPending && (
        <button type="button" className="btn btn-ghost border-base-300" onClick={onClose}>
          {PREVIEW.cancel}
        </button>
      )}
    </section>
  );
}

interface StagedProps extends Omit<ImportPreviewProps, "file"> {
  file: StagedFile;
  sheet: number | null;
  onSheet: (no: number) => void;
}

function Staged({ campaignId, file, sheet, declares, declare, onSheet, onTaken, onClose }: StagedProps) {
  const [draft, setDraft] = useState<ChoiceDraft>(() => draftOf(file.choice));
  const [isTried, setTried] = useState(false);
  const asked = { file: file.id, phone: draft.phone, declares };
  const counted = useQuery(previewQuery(campaignId, asked));
  const take = useMutation({
    mutationFn: (of: Parameters<typeof takeIn>[1]) => takeIn(campaignId, of),
    onSuccess: onTaken,
  });
  const choice = choiceOf(draft);
  const failure = take.isError ? failureOf(PREVIEW.takeFailed, take.error, PREVIEW.takeFallback) : undefined;
  const preview = counted.data;
  const isTooLong = preview !== undefined && preview.taken > preview.room;

  function submit() {
    setTried(true);
    if (typeof choice === "string") return;
    const declared = declare();
    if (declared) take.mutate({ file: file.id, choice, ...declared });
  }

  return (
    <>
      {file.sheets.length > 1 && (
        <label className="flex flex-col gap-1 text-sm font-semibold">
          {PREVIEW.sheet}
          <select
            className="select w-full font-normal"
            value={String(sheet)}
            onChange={({ currentTarget: { value } }) => onSheet(Number(value))}
          >
            {file.sheets.map(({ no, name, isHidden }) => (
              <option key={no} value={String(no)}>{isHidden ? PREVIEW.hiddenSheet(name) : name}</option>
            ))}
          </select>
        </label>
      )}
      {noteSentences(file).map((note) => (
        <p key={note} className="flex items-start gap-1.5 text-sm text-ink-2">
          <Info className="mt-1 size-4 shrink-0" />
          <span className="min-w-0">{note}</span>
        </p>
      ))}
      {file.isRemembered && <p className="text-sm text-ink-2">{PREVIEW.remembered}</p>}
      <div aria-live="polite" aria-busy={counted.isFetching}>
        {preview && (
          <PreviewCounts
            preview={preview}
            isOld={counted.isPlaceholderData}
            onDownload={() => fetchLeftOut(campaignId, asked)}
          />
        )}
        {!preview && counted.isFetching && <p className="text-sm text-ink-2">{PREVIEW.counting}</p>}
      </div>
      {counted.isError && (
        <FailedBox
          title={PREVIEW.countFailed}
          error={counted.error}
          onRetry={() => counted.refetch()}
        />
      )}
      {isTooLong && (
        <Notice
          tone="warn"
          icon={TriangleAlert}
          lead={PREVIEW.noRoomLead}
          body={PREVIEW.noRoom(preview.room)}
        />
      )}
      <PreviewColumns
        file={file}
        draft={draft}
        onChange={(next) => {
          take.reset();
          setDraft(next);
        }}
      />
      {typeof choice === "string" && (isTried || draft.phone === null) && (
        <ProblemLine title={PREVIEW.choiceProblem} description={choice} />
      )}
      {failure && <ProblemLine {...failure} />}
      <div className="flex flex-wrap gap-2">
        <BusyButton
          className="btn-primary grow"
          busy={take.isPending}
          busyText={PREVIEW.taking}
          onClick={submit}
        >
          {PREVIEW.take}
        </BusyButton>
        <button type="button" className="btn btn-ghost border-base-300" onClick={onClose}>
          {PREVIEW.cancel}
        </button>
      </div>
    </>
  );
}
