import { type FormEvent, useId, useRef, useState } from "react";
import { SUPPRESSIONS } from "./text/admin_suppressions.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { ProblemLine } from "../../ui/problem_line.tsx";
import { AddResult } from "./add_result.tsx";
import { addFailure, useAddSuppressions } from "./change_suppressions.ts";

/** The server's limit for one request; use a file for more. */
const MOST_CHARS = 50_000;

/** Adds numbers to the suppression list, typed or pasted, one per line. */
export function AddNumbersCard() {
  const [numbers, setNumbers] = useState("");
  const add = useAddSuppressions(() => setNumbers(""));
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const failure = addFailure(add.error);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (add.isPending) return;
    if (numbers.trim()) return add.mutate(numbers);
    showToast({ title: SUPPRESSIONS.missingTitle, description: SUPPRESSIONS.missing, tone: "bad" });
    field.current?.focus();
  }

  return (
    <section className="sheet p-5" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`} className="mb-4 text-lg font-bold">{SUPPRESSIONS.add}</h2>
      <form noValidate onSubmit={submit}>
        <label htmlFor={id} className="mb-1 block text-sm font-semibold">{SUPPRESSIONS.numbers}</label>
        <textarea
          ref={field}
          id={id}
          dir="ltr"
          className="textarea num-area w-full"
          rows={4}
          maxLength={MOST_CHARS}
          aria-describedby={failure ? `${id}-e ${id}-d` : `${id}-d`}
          value={numbers}
          readOnly={add.isPending}
          onChange={(event) => setNumbers(event.currentTarget.value)}
        />
        {failure && <ProblemLine id={`${id}-e`} {...failure} />}
        <p id={`${id}-d`} className="mt-1 text-xs text-ink-3">{SUPPRESSIONS.numbersHint}</p>
        <BusyButton
          type="submit"
          className="btn-primary mt-4 w-full"
          busy={add.isPending}
          busyText={SUPPRESSIONS.adding}
        >
          {SUPPRESSIONS.submit}
        </BusyButton>
        <AddResult result={add.data} />
      </form>
    </section>
  );
}
