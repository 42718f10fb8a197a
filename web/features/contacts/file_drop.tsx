import { FileSpreadsheet, FileUp, X } from "lucide-react";
import { type DragEvent, useState } from "react";
import { CONTACTS } from "../../text/contacts.ts";
import { showToast } from "../../ui/toast_store.ts";
import { contactFileProblem } from "./contact_file.ts";

interface FileDropProps {
  file: File | undefined;
  /** False before the campaign exists: a file may be chosen, not yet loaded. */
  canUpload: boolean;
  onFile: (file: File | undefined) => void;
}

/** A label round a real file input, on which a file may also be dropped. */
export function FileDrop({ file, canUpload, onFile }: FileDropProps) {
  const [over, setOver] = useState(false);

  function take(chosen: File | undefined) {
    if (!chosen) return;
    const problem = contactFileProblem(chosen);
    if (problem) showToast({ title: CONTACTS.fileRefusedTitle, description: problem, tone: "bad" });
    else onFile(chosen);
  }
  function drop(event: DragEvent<HTMLLabelElement>) {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  }

  return (
    <div className="flex items-center gap-1">
      <label
        className="drop min-w-0 grow"
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          type="file"
          accept=".csv"
          className="sr-only"
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            event.currentTarget.value = "";
            take(chosen);
          }}
        />
        {file ? <FileSpreadsheet className="size-5 text-ink-2" /> : <FileUp className="size-5 text-ink-2" />}
        <span className="min-w-0 truncate">
          <b className="font-semibold">{CONTACTS.file}</b> {file
            ? <bdi className="text-ink-2">{file.name}</bdi>
            : <span className="text-ink-3">{canUpload ? CONTACTS.choose : CONTACTS.chooseEarly}</span>}
        </span>
      </label>
      {file && (
        <button
          type="button"
          className="btn btn-ghost btn-square btn-sm"
          aria-label={CONTACTS.removeFile}
          onClick={() => onFile(undefined)}
        >
          <X className="size-4" />
        </button>
      )}
    </div>
  );
}
