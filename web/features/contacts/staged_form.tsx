import { useMutation } from "@tanstack/react-query";
import { Info, LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { ColumnChoice, StagedFile } from "shared/staged_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ProblemLine } from "../../ui/problem_line.tsx";
import { failureOf } from "../../ui/show_failure.ts";
import { type ChoiceDraft, choiceOf, draftOf } from "./choice_draft.ts";
import { PreviewColumns } from "./preview_columns.tsx";
import { dropStaged, stageFile } from "./staged_files.ts";
import { noteSentences, PREVIEW } from "./text/preview.ts";

export interface StagedFormProps<Result> {
  file: File;
  heading: string;
  /** Words of the button that takes the file in, still and while it does. */
  takeText: string;
  takingText: string;
  /** Shown above the columns: what becomes of the rows when the numbers are in this column. */
  renderCounts?: (file: StagedFile, phone: number | null) => ReactNode;
  /** Takes the file in; null = an entry is missing, which its field then says. */
  take: (of: { file: number; choice: ColumnChoice }) => Promise<Result> | null;
  onTaken: (result: Result) => void;
  onClose: () => void;
}

/** Shows what a file holds, lets a person choose its sheet and columns, and takes it in. */
export function StagedForm<Result>({ file, heading, onClose, ...rest }: StagedFormProps<Result>) {
  const [sheet, setSheet] = useState<number>();
  const stage = useMutation({ mutationFn: (no: number | undefined) => stageFile(file, no) });
  const title = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  useEffect(() => {
    title.current?.focus();
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
    <section className="flex min-w-0 flex-col gap-4" aria-labelledby={titleId}>
      <h3 id={titleId} ref={title} tabIndex={-1} className="text-lg font-bold outline-none">
        {heading}
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

interface StagedProps<Result> extends Omit<StagedFormProps<Result>, "file" | "heading"> {
  file: StagedFile;
  sheet: number | null;
  onSheet: (no: number) => void;
}

function Staged<Result>(
  { file, sheet, takeText, takingText, renderCounts, take, onSheet, onTaken, onClose }: StagedProps<Result>,
) {
  const [draft, setDraft] = useState<ChoiceDraft>(() => draftOf(file.choice));
  const [isTried, setTried] = useState(false);
  const taking = useMutation({ mutationFn: (taken: Promise<Result>) => taken, onSuccess: onTaken });
  const choice = choiceOf(draft);
  const failure = taking.isError
    ? failureOf(PREVIEW.takeFailed, taking.error, PREVIEW.takeFallback)
    : undefined;

  function submit() {
    setTried(true);
    if (typeof choice === "string" || taking.isPending) return;
    const taken = take({ file: file.id, choice });
    if (taken) taking.mutate(taken);
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
      {renderCounts?.(file, draft.phone)}
      <PreviewColumns
        file={file}
        draft={draft}
        onChange={(next) => {
          taking.reset();
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
          busy={taking.isPending}
          busyText={takingText}
          onClick={submit}
        >
          {takeText}
        </BusyButton>
        <button type="button" className="btn btn-ghost border-base-300" onClick={onClose}>
          {PREVIEW.cancel}
        </button>
      </div>
    </>
  );
}
