import { type DragEvent, type ReactNode, type Ref, useState } from "react";
import { csvProblem } from "./csv_problem.ts";

export interface CsvZoneProps {
  /** Called with a possible CSV file. */
  onFile: (file: File) => void;
  /** Called with the reason why another file was not chosen. */
  onRefused: (problem: string) => void;
  className?: string;
  /** Id of the text that describes the file. */
  describedBy?: string;
  inputRef?: Ref<HTMLInputElement>;
  /** Content of the zone; it is also the label of its input. */
  children: ReactNode;
}

/** A label around a real file input; a CSV file can also be dropped on it. */
export function CsvZone(
  { onFile, onRefused, className = "", describedBy, inputRef, children }: CsvZoneProps,
) {
  const [isOver, setOver] = useState(false);

  function take(chosen: File | undefined) {
    if (!chosen) return;
    const problem = csvProblem(chosen);
    if (problem) onRefused(problem);
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
        accept=".csv,.xlsx"
        className="sr-only"
        aria-describedby={describedBy}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          // Allow the same file to be chosen again after a correction.
          event.currentTarget.value = "";
          take(chosen);
        }}
      />
      {children}
    </label>
  );
}
