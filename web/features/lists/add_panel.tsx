import { CircleCheck } from "lucide-react";
import { type ComponentType, type FormEvent, useId, useRef, useState } from "react";
import type { Consent } from "shared/consent.ts";
import type { PhoneProblem } from "shared/phone.ts";
import { PHONE_PROBLEM_TEXT } from "shared/phone_words.ts";
import type { ContactsAdded, OneList } from "shared/lists_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { consentOf, dayOf, missingOf, NO_CONSENT } from "../../ui/consent_draft.ts";
import { ConsentFields } from "../../ui/consent_fields.tsx";
import { Field } from "../../ui/field.tsx";
import { FileDrop } from "../../ui/file_drop.tsx";
import { Num } from "../../ui/num.tsx";
import { ProblemLine } from "../../ui/problem_line.tsx";
import { Segments } from "../../ui/segments.tsx";
import { failureOf } from "../../ui/show_failure.ts";
import { type AddSource, useAddContacts, useRefreshLists } from "./change_lists.ts";
import { draftsOf, type FieldDraft, FieldRows, valuesOf } from "./field_rows.tsx";
import { ADD, addedSentence } from "./text.ts";

const WAYS = ["file", "one", "numbers", "campaign"] as const;
type Way = (typeof WAYS)[number];
const STATES = ["sent", "failed", "unknown", "skipped", "cancelled"] as const;

interface AddPanelProps {
  list: OneList;
  /** The client's sent campaigns, for the way "campaign". */
  campaigns: readonly { id: number; name: string }[];
  /** Chooses the columns of a file, and adds its people. */
  Columns: ComponentType<ColumnsProps>;
}

interface ColumnsProps {
  listId: number;
  file: File;
  /** Returns the declaration; null when an entry of it is missing, which the fields then say. */
  declare: () => { consent: Consent | undefined } | null;
  onTaken: (result: ContactsAdded) => void;
  onClose: () => void;
}

/** Adds contacts to a list: a file, one by hand, pasted numbers, or a campaign's recipients. */
export function AddPanel({ list, campaigns, Columns }: AddPanelProps) {
  const [way, setWay] = useState<Way>("file");
  const [file, setFile] = useState<File>();
  const [numbers, setNumbers] = useState("");
  const [phone, setPhone] = useState("");
  const [fields, setFields] = useState<FieldDraft[]>();
  const [campaign, setCampaign] = useState("");
  const [states, setStates] = useState<ReadonlySet<string>>(new Set(["sent"]));
  const [declares, setDeclares] = useState(false);
  const [consent, setConsent] = useState(NO_CONSENT);
  const [tries, setTries] = useState(0);
  const [missing, setMissing] = useState<string>();
  const [isChoosing, setChoosing] = useState(false);
  const [fromColumns, setFromColumns] = useState<ContactsAdded>();
  const opener = useRef<HTMLButtonElement>(null);
  const refresh = useRefreshLists();
  const id = useId();
  const add = useAddContacts(list.id, () => {
    setFromColumns(undefined);
    forgetEntries();
  });
  const failure = add.isError ? failureOf(ADD.failedTitle, add.error, ADD.failed) : undefined;
  const drafts = fields ?? draftsOf(list.fields, {});

  function forgetEntries() {
    setFile(undefined);
    setChoosing(false);
    setNumbers("");
    setPhone("");
    setFields(undefined);
    setDeclares(false);
    setConsent(NO_CONSENT);
    setTries(0);
  }

  /** Returns whether the declaration of consent is whole, or not wanted; its fields say what is missing. */
  function isDeclared(): boolean {
    if (!declares || !missingOf(consent, dayOf(Date.now()))) return true;
    setTries(tries + 1);
    return false;
  }

  function clear() {
    setMissing(undefined);
    if (add.isError) add.reset();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    // The columns have a button of their own.
    if (add.isPending || (way === "file" && isChoosing)) return;
    const source = sourceOf();
    if (typeof source === "string") return setMissing(source);
    setMissing(undefined);
    if ((way === "file" || way === "numbers") && !isDeclared()) return;
    add.mutate(source);
  }

  /** Returns what is to be added, or the sentence that says what is missing. */
  function sourceOf(): AddSource | string {
    const declared = declares ? consentOf(consent) : undefined;
    switch (way) {
      case "file":
        return file ? { way, file, consent: declared } : ADD.fileMissing;
      case "one":
        return phone.trim() ? { way, phone: phone.trim(), fields: valuesOf(drafts) } : ADD.phoneMissing;
      case "numbers":
        return numbers.trim() ? { way, numbers, consent: declared } : ADD.typedMissing;
      case "campaign":
        if (campaign === "") return ADD.campaignMissing;
        return states.size > 0 ? { way, campaign: Number(campaign), states: [...states] } : ADD.statesMissing;
    }
  }

  const submitText = {
    file: ADD.fileSubmit,
    one: ADD.oneSubmit,
    numbers: ADD.typedSubmit,
    campaign: ADD.campaignSubmit,
  }[way];

  return (
    <section className="sheet p-5" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`} className="mb-4 text-lg font-bold">{ADD.heading}</h2>
      <Segments
        label={ADD.ways}
        options={WAYS.map((value) => ({ value, label: ADD[value] }))}
        chosen={way}
        onChoose={(chosen) => {
          setWay(chosen);
          clear();
        }}
      />
      <form noValidate className="mt-4 flex flex-col gap-4" onSubmit={submit}>
        {way === "file" && (
          <div>
            <FileDrop
              file={file}
              describedBy={`${id}-d`}
              failure={failure}
              onFile={(chosen) => {
                clear();
                setChoosing(false);
                setFile(chosen);
              }}
            />
            <p id={`${id}-d`} className="mt-1 text-xs text-ink-3">{ADD.fileHint}</p>
          </div>
        )}
        {way === "one" && (
          <>
            <Field
              label={ADD.phone}
              dir="ltr"
              className="text-end"
              inputMode="tel"
              maxLength={40}
              value={phone}
              onChange={(value) => {
                clear();
                setPhone(value);
              }}
            />
            <FieldRows fields={drafts} onChange={setFields} />
          </>
        )}
        {way === "numbers" && (
          <div>
            <label htmlFor={`${id}-n`} className="mb-1 block text-sm font-semibold">{ADD.typed}</label>
            <textarea
              id={`${id}-n`}
              dir="ltr"
              className="textarea num-area w-full"
              rows={4}
              aria-describedby={`${id}-nd`}
              value={numbers}
              readOnly={add.isPending}
              onChange={(event) => {
                clear();
                setNumbers(event.currentTarget.value);
              }}
            />
            <p id={`${id}-nd`} className="mt-1 text-xs text-ink-3">{ADD.typedHint}</p>
          </div>
        )}
        {way === "campaign" && (
          <>
            <div>
              <label htmlFor={`${id}-c`} className="mb-1 block text-sm font-semibold">
                {ADD.fromCampaign}
              </label>
              <select
                id={`${id}-c`}
                className="select w-full"
                value={campaign}
                onChange={(event) => {
                  clear();
                  setCampaign(event.currentTarget.value);
                }}
              >
                <option value="">{ADD.chooseCampaign}</option>
                {campaigns.map(({ id, name }) => <option key={id} value={String(id)}>{name}</option>)}
              </select>
            </div>
            <fieldset>
              <legend className="mb-1 text-sm font-semibold">{ADD.states}</legend>
              <div className="flex flex-wrap gap-x-5 gap-y-1">
                {STATES.map((state) => (
                  <label key={state} className="flex min-h-10 items-center gap-2 text-sm">
                    <input
                      type="checkbox"
                      className="checkbox checkbox-primary checkbox-sm"
                      checked={states.has(state)}
                      onChange={() => {
                        clear();
                        const next = new Set(states);
                        if (!next.delete(state)) {
                          next.add(state);
                        }
                        setStates(next);
                      }}
                    />
                    {ADD.stateNames[state]}
                  </label>
                ))}
              </div>
            </fieldset>
          </>
        )}
        {(way === "file" || way === "numbers") && (
          <div>
            <label className="flex items-start gap-2 text-sm">
              <input
                type="checkbox"
                className="checkbox checkbox-primary checkbox-sm mt-0.5"
                checked={declares}
                onChange={() => setDeclares(!declares)}
              />
              {ADD.consent}
            </label>
            <p className="mt-1 text-xs text-ink-3">{ADD.consentHint}</p>
            {declares && (
              <div className="mt-3">
                <ConsentFields draft={consent} onChange={setConsent} tries={tries} />
              </div>
            )}
          </div>
        )}
        {missing && <p className="tone-bad text-sm text-tone" role="alert">{missing}</p>}
        {failure && way !== "file" && <ProblemLine {...failure} />}
        {!(way === "file" && isChoosing) && (
          <BusyButton
            type="submit"
            className="btn-primary w-full"
            busy={add.isPending}
            busyText={ADD.adding}
          >
            {submitText}
          </BusyButton>
        )}
        {way === "file" && file && !isChoosing && (
          <button
            ref={opener}
            type="button"
            className="btn btn-secondary w-full"
            onClick={() => {
              clear();
              setChoosing(true);
            }}
          >
            {ADD.chooseColumns}
          </button>
        )}
        {way === "file" && file && isChoosing && (
          <Columns
            listId={list.id}
            file={file}
            declare={() => isDeclared() ? { consent: declares ? consentOf(consent) : undefined } : null}
            onTaken={(result) => {
              add.reset();
              setFromColumns(result);
              forgetEntries();
              void refresh();
            }}
            onClose={() => {
              setChoosing(false);
              // The button comes back in the place of the columns.
              requestAnimationFrame(() => opener.current?.focus());
            }}
          />
        )}
        <Added result={fromColumns ?? add.data} />
      </form>
    </section>
  );
}

/** What the last addition changed, in its own box, and the first rows that were not taken. */
function Added({ result }: { result: ContactsAdded | undefined }) {
  return (
    // Rendered before it has text: screen readers often skip a status that appears together with its text.
    <div role="status" className="text-sm empty:hidden">
      {result && (
        <div className="tone-ok flex gap-2 rounded-field bg-base-200 p-3">
          <CircleCheck className="mt-0.5 size-4 text-tone" />
          <div className="min-w-0 wrap-anywhere">
            {addedSentence(result)}
            {result.problems.length > 0 && (
              <ul aria-label={ADD.notTaken} className="mt-1.5 text-xs text-ink-2">
                {result.problems.map(({ row, text, problem }) => (
                  <li key={row}>
                    {ADD.row} <Num>{row}</Num>: <bdi>{text || ADD.nothing}</bdi> ·{" "}
                    {PHONE_PROBLEM_TEXT[problem as PhoneProblem] ?? problem}
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
