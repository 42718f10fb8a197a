import { CircleAlert } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { MAX_CONSENT_SOURCE_CHARS } from "shared/campaign.ts";
import { CONSENT } from "../text/consent.ts";
import { type ConsentDraft, type ConsentField, dayOf, missingOf } from "./consent_draft.ts";
import { DayField } from "./day_field.tsx";
import { Field } from "./field.tsx";

interface ConsentFieldsProps {
  draft: ConsentDraft;
  onChange: (draft: ConsentDraft) => void;
  /** How often the list was added without what is missing; each time it is shown and focused. */
  tries: number;
}

const BASES = ["opt_in", "existing_customer", "known"] as const;
const FIELDS: Record<ConsentField, string> = {
  basis: "input[type=radio]",
  source: "[data-field=source] input",
  obtainedOn: "[data-field=obtainedOn] input",
};

/** Asks for the legal basis for advertising to the numbers about to be loaded. */
export function ConsentFields({ draft, onChange, tries }: ConsentFieldsProps) {
  const name = useId();
  const fields = useRef<HTMLFieldSetElement>(null);
  const missing = tries > 0 ? missingOf(draft, dayOf(Date.now())) : undefined;
  const errorOf = (field: string) => missing?.field === field ? missing.text : undefined;
  useEffect(() => {
    // They may be above the window: the button that adds is under them.
    if (missing) fields.current?.querySelector<HTMLElement>(FIELDS[missing.field])?.focus();
  }, [tries]);
  return (
    <fieldset ref={fields} aria-describedby={`${name}-d`}>
      <legend className="mb-1 text-sm font-semibold">{CONSENT.legend}</legend>
      <p className="mb-2 text-xs text-ink-3">{CONSENT.why}</p>
      <div className="flex flex-col gap-2">
        {BASES.map((basis) => (
          <label key={basis} className="choice">
            <input
              type="radio"
              name={name}
              className="radio radio-sm radio-primary"
              checked={draft.basis === basis}
              onChange={() => onChange({ ...draft, basis })}
            />
            <span>{CONSENT.bases[basis]}</span>
          </label>
        ))}
      </div>
      <div id={`${name}-d`}>
        {errorOf("basis") && (
          <p className="tone-bad mt-1 flex items-center gap-1.5 text-sm text-tone" role="alert">
            <CircleAlert className="size-4" />
            {errorOf("basis")}
          </p>
        )}
        {draft.basis === "known" && <p className="mt-1 text-xs text-ink-3">{CONSENT.knownHint}</p>}
      </div>
      {draft.basis === "opt_in" && (
        <div className="mt-3 flex flex-col gap-3">
          <div data-field="source">
            <Field
              label={CONSENT.source}
              placeholder={CONSENT.sourcePlaceholder}
              maxLength={MAX_CONSENT_SOURCE_CHARS}
              value={draft.source}
              error={errorOf("source")}
              onChange={(source) => onChange({ ...draft, source })}
            />
          </div>
          <div data-field="obtainedOn">
            <DayField
              label={CONSENT.obtainedOn}
              hint={CONSENT.obtainedHint}
              value={draft.obtainedOn}
              error={errorOf("obtainedOn")}
              onChange={(obtainedOn) => onChange({ ...draft, obtainedOn })}
            />
          </div>
        </div>
      )}
      {draft.basis === "existing_customer" && (
        <div className="mt-3">
          <Field
            label={CONSENT.customersSource}
            placeholder={CONSENT.customersPlaceholder}
            maxLength={MAX_CONSENT_SOURCE_CHARS}
            value={draft.source}
            onChange={(source) => onChange({ ...draft, source })}
          />
        </div>
      )}
    </fieldset>
  );
}
