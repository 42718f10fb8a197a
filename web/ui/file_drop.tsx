import { FileSpreadsheet, FileUp, X } from "lucide-react";
import { useRef } from "react";
import { CSV_FILE } from "../text/csv_file.ts";
import { CsvZone, type CsvZoneProps } from "./csv_zone.tsx";

interface FileDropProps extends Pick<CsvZoneProps, "describedBy" | "inputRef"> {
  file: File | undefined;
  /** Text while no file is chosen. */
  prompt?: string;
  onFile: (file: File | undefined) => void;
}

/** A line to choose or drop one CSV file; shows its name and a button to remove it. */
export function FileDrop({ file, prompt = CSV_FILE.choose, onFile, ...input }: FileDropProps) {
  const Icon = file ? FileSpreadsheet : FileUp;
  const line = useRef<HTMLDivElement>(null);
  return (
    <div ref={line} className="flex items-center gap-1">
      <CsvZone className="min-w-0 grow" onFile={onFile} {...input}>
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
  );
}
