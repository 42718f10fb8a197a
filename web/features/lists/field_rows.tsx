import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { MAX_FIELD_NAME_CHARS, MAX_FIELD_VALUE_CHARS } from "./limits.ts";
import { ADD } from "./text.ts";

/** A field while it is typed. */
export interface FieldDraft {
  name: string;
  value: string;
  /** True = the list has it, and its name stays. */
  isKnown: boolean;
}

interface FieldRowsProps {
  fields: readonly FieldDraft[];
  onChange: (fields: FieldDraft[]) => void;
}

/** Returns the drafts of a contact: the list's fields in their order, then its other ones. */
export function draftsOf(names: readonly string[], fields: Record<string, string>): FieldDraft[] {
  const all = [...new Set([...names, ...Object.keys(fields)])];
  return all.map((name) => ({ name, value: fields[name] ?? "", isKnown: true }));
}

/** Returns the values of drafts that have a name. */
export function valuesOf(fields: readonly FieldDraft[]): Record<string, string> {
  const given = fields.map(({ name, value }) => [name.trim(), value.trim()] as const);
  return Object.fromEntries(given.filter(([name, value]) => name !== "" && value !== ""));
}

/** The fields of one contact: a line for each, and a button for another. */
export function FieldRows({ fields, onChange }: FieldRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const set = (at: number, change: Partial<FieldDraft>) =>
    onChange(fields.map((field, index) => index === at ? { ...field, ...change } : field));
  return (
    <div ref={box} className="flex flex-col gap-3">
      {fields.map((field, at) => (
        <div key={at} className="flex items-end gap-2">
          {field.isKnown
            ? (
              <label className="min-w-0 grow">
                <span className="mb-1 block text-sm font-semibold wrap-anywhere">{field.name}</span>
                <input
                  className="input w-full"
                  maxLength={MAX_FIELD_VALUE_CHARS}
                  value={field.value}
                  onChange={(event) => set(at, { value: event.currentTarget.value })}
                />
              </label>
            )
            : (
              <>
                <label className="w-2/5 min-w-0">
                  <span className="mb-1 block text-sm font-semibold">{ADD.fieldName}</span>
                  <input
                    className="input w-full"
                    maxLength={MAX_FIELD_NAME_CHARS}
                    value={field.name}
                    onChange={(event) => set(at, { name: event.currentTarget.value })}
                  />
                </label>
                <label className="min-w-0 grow">
                  <span className="mb-1 block text-sm font-semibold">{ADD.fieldValue}</span>
                  <input
                    className="input w-full"
                    maxLength={MAX_FIELD_VALUE_CHARS}
                    value={field.value}
                    onChange={(event) => set(at, { value: event.currentTarget.value })}
                  />
                </label>
                <button
                  type="button"
                  className="btn btn-ghost btn-square"
                  aria-label={ADD.removeField(field.name)}
                  onClick={() => {
                    onChange(fields.filter((_, index) => index !== at));
                    box.current?.querySelector<HTMLElement>("[data-more]")?.focus();
                  }}
                >
                  <X className="size-4" />
                </button>
              </>
            )}
        </div>
      ))}
      <button
        type="button"
        data-more
        className="btn btn-ghost btn-sm self-start border-base-300"
        onClick={() => onChange([...fields, { name: "", value: "", isKnown: false }])}
      >
        <Plus className="size-4" />
        {ADD.moreField}
      </button>
    </div>
  );
}
