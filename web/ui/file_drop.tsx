import { FileSpreadsheet, FileUp, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { CSV_FILE } from "../text/csv_file.ts";
import { ProblemLine } from "./problem_line.tsx";
import type { Failure } from "./show_failure.ts";
import { CsvZone, type CsvZoneProps } from "./csv_zone.tsx";

interface FileDropProps extends Pick<CsvZoneProps, "describedBy" | "inputRef"> {
  file: File | undefined;
  /** Text while no file is chosen. */
  prompt?: string;
  onFile: (file: File | undefined) => void;
  /** Why the last upload of a file failed; it stays under the file until another is chosen. */
  failure?: Failure;
}

/** A line to choose or drop one CSV file; shows its name, a button to remove it, and what is wrong with it. */
export function FileDrop(
  { file, prompt = CSV_FILE.choose, onFile, failure, describedBy, ...input }: FileDropProps,
) {
  const Icon = file ? FileSpreadsheet : FileUp;
  const line = useRef<HTMLDivElement>(null);
  const [refused, setRefused] = useState<string>();
  const problemId = useId();
  useEffect(() => {
    if (file) setRefused(undefined);
  }, [file]);
  const problem = refused ? { title: CSV_FILE.refusedTitle, description: refused } : failure;
  return (
    <div>
      <div ref={line} className="flex items-center gap-1">
        <CsvZone
          className="min-w-0 grow"
          onFile={(chosen) => {
            setRefused(undefined);
            onFile(chosen);
          }}
          onRefused={setRefused}
          describedBy={[describedBy, problem && problemId].filter(Boolean).join(" ") || undefined}
          {...input}
        >
          <Icon className="size-5 text-ink-2" />
          <span className="min-w-0 wrap-anywhere">
            <b className="font-semibold">{CSV_FILE.label}</b> {file
              ? <bdi dir="ltr" className="text-ink-2">{file.name}</bdi>
              : <span className="text-ink-3">{prompt}</span>}
          </span>
        </CsvZone>
        {file && (
          <button
            type="button"
            className="btn btn-ghost btn-square btn-sm"
            aria-label={CSV_FILE.remove}
            onClick={() => {
              onFile(undefined);
              // This button is removed together with the file.
              line.current?.querySelector("input")?.focus();
            }}
          >
            <X className="size-4" />
          </button>
        )}
      </div>
      {problem && <ProblemLine id={problemId} {...problem} />}
    </div>
  );
}
