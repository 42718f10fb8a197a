import { useState } from "react";
import { MAX_FIELD_NAME_CHARS } from "shared/field_text.ts";
import type { StagedFile } from "shared/staged_api.ts";
import { type ChoiceDraft, type ColumnUse, useOf, withName, withUse } from "./choice_draft.ts";
import { columnLetters } from "./text/imports.ts";
import { PREVIEW, whySentence } from "./text/preview.ts";

/** Columns shown at first. */
const FIRST_COLUMNS = 12;
const USES: ColumnUse[] = ["phone", "field", "skip"];

interface PreviewColumnsProps {
  file: StagedFile;
  draft: ChoiceDraft;
  onChange: (draft: ChoiceDraft) => void;
}

/** The columns of a file, each with samples and what is done with it. */
export function PreviewColumns({ file, draft, onChange }: PreviewColumnsProps) {
  const [shown, setShown] = useState(FIRST_COLUMNS);
  const hidden = file.columns.length - shown;
  return (
    <section aria-label={PREVIEW.columns}>
      <div className="eyebrow mb-1">{PREVIEW.columns}</div>
      <ul className="divide-y divide-base-300 rounded-field border border-base-300">
        {file.columns.slice(0, shown).map((column) => (
          <Column key={column.no} file={file} column={column} draft={draft} onChange={onChange} />
        ))}
      </ul>
      {hidden > 0 && (
        <button
          type="button"
          className="btn btn-ghost btn-sm mt-2 w-full border-base-300"
          onClick={() => setShown(file.columns.length)}
        >
          {PREVIEW.moreColumns(hidden)}
        </button>
      )}
    </section>
  );
}

interface ColumnProps extends PreviewColumnsProps {
  column: StagedFile["columns"][number];
}

function Column({ file, column: { no, name, samples }, draft, onChange }: ColumnProps) {
  const use = useOf(draft, no);
  const words = PREVIEW.column(columnLetters(no), name);
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2.5 text-sm">
      <div className="flex min-w-0 items-baseline gap-2">
        <b className="min-w-0 font-semibold wrap-anywhere">{words}</b>
      </div>
      <p className="truncate text-xs text-ink-3">
        {samples.length === 0 ? PREVIEW.noSamples : samples.map((sample, at) => (
          <span key={at}>
            {at > 0 && " · "}
            <bdi>{sample}</bdi>
          </span>
        ))}
      </p>
      <div className="flex flex-wrap gap-2">
        <select
          className="select min-w-0 flex-1 basis-36"
          aria-label={PREVIEW.useOf(words)}
          value={use}
          onChange={({ currentTarget: { value } }) =>
            onChange(withUse(draft, no, value as ColumnUse, name ?? ""))}
        >
          {USES.map((one) => <option key={one} value={one}>{PREVIEW.uses[one]}</option>)}
        </select>
        {use === "field" && (
          <input
            type="text"
            className="input min-w-0 flex-1 basis-36"
            aria-label={PREVIEW.nameOf(words)}
            maxLength={MAX_FIELD_NAME_CHARS}
            value={draft.fields.get(no)}
            onChange={({ currentTarget: { value } }) => onChange(withName(draft, no, value))}
          />
        )}
      </div>
      {use === "phone" && <p className="text-xs text-ink-2">{whySentence(file, no)}</p>}
    </li>
  );
}
