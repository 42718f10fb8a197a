import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { EXCEPTION_REASON_CHARS } from "shared/reason.ts";
import type { OptOut } from "shared/replies_api.ts";
import { formatMoment } from "../../text/format.ts";
import { OPT_OUTS } from "./text.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Field } from "../../ui/field.tsx";
import { Phone } from "../../ui/phone.tsx";
import { ReasonDialog } from "../../ui/reason_dialog.tsx";
import { numberProblem, useFindOptOuts, useUndoOptOut } from "./find_opt_outs.ts";

/** Finds the clients that a whole number refused, and undoes one refusal after asking for the reason. */
export function OptOutCard({ now }: { now: number }) {
  const [number, setNumber] = useState("");
  const [isMissing, setMissing] = useState(false);
  const [asking, setAsking] = useState<OptOut>();
  const headingId = useId();
  const field = useRef<HTMLInputElement>(null);
  const search = useFindOptOuts();
  const found = search.data?.items;
  const problem = isMissing ? OPT_OUTS.missing : numberProblem(search.error);
  const { heading, listLeaves } = useHeadingNext(asking !== undefined);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (search.isPending) return;
    if (/\d/.test(number)) {
      return search.mutate(number.trim(), {
        onError: (error) => numberProblem(error) !== undefined && field.current?.focus(),
      });
    }
    setMissing(true);
    field.current?.focus();
  }

  return (
    <section className="sheet min-w-0 p-5" aria-labelledby={headingId}>
      <h2 ref={heading} id={headingId} tabIndex={-1} className="text-lg font-bold">{OPT_OUTS.heading}</h2>
      <p className="mt-1 mb-4 text-sm text-ink-2">{OPT_OUTS.meaning}</p>
      <form noValidate onSubmit={submit}>
        <Field
          label={OPT_OUTS.number}
          error={problem}
          inputRef={field}
          type="tel"
          dir="ltr"
          className="text-end"
          autoComplete="off"
          maxLength={40}
          value={number}
          onChange={(value) => {
            setNumber(value);
            setMissing(false);
            search.reset();
          }}
        />
        <BusyButton
          type="submit"
          className="btn-secondary mt-4 w-full"
          busy={search.isPending}
          busyText={OPT_OUTS.finding}
        >
          {OPT_OUTS.find}
        </BusyButton>
      </form>
      {/* Rendered before it has text: screen readers often skip a status that appears together with its text. */}
      <div className="text-sm" role="status">
        {found?.length === 0 && <p className="mt-4">{OPT_OUTS.none}</p>}
        {found && found.length > 0 && (
          <>
            <p className="mt-4">{OPT_OUTS.found(found.length)}</p>
            <ul className="mt-2 grid gap-2">
              {found.map((optOut) => (
                <li key={optOut.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <bdi className="font-semibold">{optOut.client.username}</bdi>
                  <span className="text-xs text-ink-3">{formatMoment(optOut.at, now)}</span>
                  <button
                    type="button"
                    className="btn btn-ghost btn-sm ms-auto border-base-300"
                    aria-label={OPT_OUTS.undoOf(optOut.client.username)}
                    onClick={() =>
                      setAsking(optOut)}
                  >
                    {OPT_OUTS.undo}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {asking && (
        <UndoDialog
          optOut={asking}
          onSettled={() => {
            // Also after a failure: the found list may be outdated.
            listLeaves();
            search.mutate(number.trim());
            setAsking(undefined);
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  );
}

interface UndoDialogProps {
  optOut: OptOut;
  onSettled: () => void;
  onClose: () => void;
}

function UndoDialog({ optOut: { id, phone, client }, onSettled, onClose }: UndoDialogProps) {
  const undo = useUndoOptOut(onSettled);
  return (
    <ReasonDialog
      words={OPT_OUTS}
      {...EXCEPTION_REASON_CHARS}
      busy={undo.isPending}
      onConfirm={(reason) => undo.mutate({ id, reason })}
      onClose={onClose}
    >
      <p className="mb-1 font-semibold">
        <Phone e164={phone} /> · <bdi>{client.username}</bdi>
      </p>
    </ReasonDialog>
  );
}

/** Moves the focus to the heading after the list and its focused button disappear, once no dialog is open. */
function useHeadingNext(isAsking: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isAwaited = useRef(false);
  useEffect(() => {
    if (isAsking || !isAwaited.current) return;
    isAwaited.current = false;
    heading.current?.focus();
  }, [isAsking]);
  return { heading, listLeaves: () => void (isAwaited.current = true) };
}
