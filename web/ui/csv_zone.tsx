import { type DragEvent, type ReactNode, type Ref, useState } from "react";
import { CSV_FILE } from "../text/csv_file.ts";
import { csvProblem } from "./csv_problem.ts";
import { showToast } from "./toast_store.ts";

export interface CsvZoneProps {
  /** Called with a file that may be one; any other is refused in a toast. */
  onFile: (file: File) => void;
  className?: string;
  /** The id of what is said of the file. */
  describedBy?: string;
  inputRef?: Ref<HTMLInputElement>;
  /** What stands in the zone, and names its input. */
  children: ReactNode;
}

/** A label round a real file input, on which a CSV file may also be dropped. */
export function CsvZone({ onFile, className = "", describedBy, inputRef, children }: CsvZoneProps) {
  const [isOver, setOver] = useState(false);

  function take(chosen: File | undefined) {
    if (!chosen) return;
    const problem = csvProblem(chosen);
    if (problem) showToast({ title: CSV_FILE.refusedTitle, description: problem, tone: "bad" });
    else onFile(chosen);
  }
  function drop(event: DragEvent<HTMLLabelElement>) {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  }

  return (
    <label
      className={`drop ${className}`}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={inputRef}
        type="file"
        accept=".csv"
        className="sr-only"
        aria-describedby={describedBy}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          // The same file may be chosen again after it was mended.
          event.currentTarget.value = "";
          take(chosen);
        }}
      />
      {children}
    </label>
  );
}
