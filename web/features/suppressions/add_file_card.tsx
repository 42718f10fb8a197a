import { type FormEvent, useId, useRef, useState } from "react";
import { SUPPRESSIONS } from "./text/admin_suppressions.ts";
import { REMOVALS } from "./text/removals.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { FileDrop } from "../../ui/file_drop.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { AddResult } from "./add_result.tsx";
import { addFailure, useAddSuppressions } from "./change_suppressions.ts";

/** Uploads a file of numbers to the user's own list. */
export function AddFileCard() {
  const [file, setFile] = useState<File>();
  const add = useAddSuppressions(() => setFile(undefined));
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (add.isPending) return;
    if (file) return add.mutate(file);
    showToast({ title: REMOVALS.fileMissingTitle, description: REMOVALS.fileMissing, tone: "bad" });
    field.current?.focus();
  }

  return (
    <section className="sheet p-5" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`} className="mb-4 text-lg font-bold">{REMOVALS.fileHeading}</h2>
      <form noValidate onSubmit={submit}>
        <FileDrop
          file={file}
          describedBy={`${id}-d`}
          inputRef={field}
          failure={addFailure(add.error)}
          onFile={(chosen) => {
            if (add.isError) add.reset();
            setFile(chosen);
          }}
        />
        <p id={`${id}-d`} className="mt-1 text-xs text-ink-3">{REMOVALS.fileHint}</p>
        <BusyButton
          type="submit"
          className="btn-primary mt-4 w-full"
          busy={add.isPending}
          busyText={SUPPRESSIONS.adding}
        >
          {REMOVALS.fileSubmit}
        </BusyButton>
        <AddResult result={add.data} />
      </form>
    </section>
  );
}
