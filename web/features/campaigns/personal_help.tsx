import { skipToken, useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import {
  canBeAsked,
  composeText,
  fieldsOf,
  nearestField,
  parseTemplate,
  placeholderOf,
  renameField,
} from "shared/personal_text.ts";
import { ACTS } from "../../text/acts.ts";
import { personalQuery } from "./get_personal.ts";
import { CREATE } from "./text/client_home.ts";
import { faultText, HELP, unknownText } from "./text/personal_help.ts";

const NO_PREVIEW = { queryKey: ["no campaign"], queryFn: skipToken } as unknown as ReturnType<
  typeof personalQuery
>;
/** More buttons than this hide behind one. */
const MANY_FIELDS = 12;

interface PersonalHelpProps {
  /** Id of the problems, for the field's description. */
  id: string;
  /** The saved campaign, whose recipients have the fields; undefined before there is one. */
  campaign: Campaign | undefined;
  message: string;
  onMessage: (message: string) => void;
  field: RefObject<HTMLTextAreaElement | null>;
  isBusy: boolean;
  /** Called with the words as the first recipient would read them; undefined = there is none, or a value lacks. */
  onSample: (text: string | undefined) => void;
}

/** Below the field of a message: buttons that put a field at the cursor, and what is wrong with its placeholders. */
export function PersonalHelp(
  { id, campaign, message, onMessage, field, isBusy, onSample }: PersonalHelpProps,
) {
  const { parts, faults } = parseTemplate(message);
  const preview = useQuery(campaign ? personalQuery(campaign) : NO_PREVIEW);
  const { data } = preview;
  const names = data?.fields ?? [];
  const known = new Set(names);
  const unknown = data && data.count > 0 ? fieldsOf(parts).filter((name) => name && !known.has(name)) : [];
  const values = data?.rows.first?.values;
  const sample = values && faults.length === 0 && fieldsOf(parts).length > 0
    ? composeText(parts, values, () => "") ?? undefined
    : undefined;
  useEffect(() => onSample(sample), [sample]);
  useEffect(() => () => onSample(undefined), []);

  const cursor = useRef<number>(null);
  useLayoutEffect(() => {
    // One goes on typing after the field that was put in.
    if (cursor.current !== null) field.current!.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  }, [message]);

  function insert(name: string) {
    const area = field.current!;
    const { selectionStart: from, selectionEnd: to } = area;
    const before = message.slice(0, from) + placeholderOf(name);
    cursor.current = before.length;
    onMessage(before + message.slice(to));
    area.focus();
  }

  function takeName(from: string, to: string) {
    onMessage(renameField(message, from, to));
    field.current!.focus();
  }

  return (
    <div className="mt-2 grid gap-2 text-sm">
      {names.length > 0 && (
        <Fields
          names={names.filter(canBeAsked)}
          room={MAX_MESSAGE_CHARS - message.length}
          isBusy={isBusy}
          onChoose={insert}
        />
      )}
      {campaign && preview.isLoading && <p className="text-ink-2">{HELP.loading}</p>}
      {data && data.count === 0 && <p className="text-xs text-ink-2">{CREATE.personalHint}</p>}
      {data && data.count > 0 && names.length === 0 && <p className="text-ink-2">{HELP.noFields}</p>}
      {preview.isError && !data && (
        <p className="flex flex-wrap items-center gap-2 text-ink-2">
          {HELP.failed}
          <button type="button" className="btn btn-sm btn-secondary" onClick={() => void preview.refetch()}>
            {ACTS.retry}
          </button>
        </p>
      )}
      <div id={id} role="status" className="grid gap-1.5 empty:hidden">
        {faults.map((fault) => (
          <Problem
            key={`${fault.code} ${fault.at}`}
            text={faultText(fault, message)}
          />
        ))}
        {unknown.map((name) => {
          const nearest = nearestField(name, names);
          return (
            <Problem key={name} text={unknownText(name)}>
              {nearest !== null && (
                <button
                  type="button"
                  className="btn btn-sm btn-secondary"
                  disabled={isBusy}
                  onClick={() => takeName(name, nearest)}
                >
                  {HELP.take(nearest)}
                </button>
              )}
            </Problem>
          );
        })}
      </div>
      {names.length > 0 && (
        <p className="text-xs text-ink-2">
          {HELP.fallback} <bdi dir="rtl" className="whitespace-nowrap">{"{{שם|לקוחות יקרים}}"}</bdi>
        </p>
      )}
    </div>
  );
}

function Problem({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <p className="tone-bad flex min-w-0 items-start gap-1.5 text-tone wrap-anywhere">
        <CircleAlert className="mt-0.5 size-4 shrink-0" />
        <span>{text}</span>
      </p>
      {children}
    </div>
  );
}

interface FieldsProps {
  names: readonly string[];
  /** Characters that the message still takes. */
  room: number;
  isBusy: boolean;
  onChoose: (name: string) => void;
}

function Fields({ names, room, isBusy, onChoose }: FieldsProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? names : names.slice(0, MANY_FIELDS);
  return (
    <div role="group" aria-labelledby="c-fields">
      <p id="c-fields" className="mb-1.5 text-xs text-ink-2">{HELP.fields}</p>
      <div className="flex flex-wrap gap-1.5">
        {shown.map((name) => (
          <button
            key={name}
            type="button"
            className="btn btn-sm btn-ghost max-w-full border-base-300"
            disabled={isBusy || placeholderOf(name).length > room}
            onClick={() => onChoose(name)}
          >
            <bdi className="truncate">{name}</bdi>
          </button>
        ))}
        {shown.length < names.length && (
          <button
            type="button"
            className="btn btn-sm btn-ghost"
            onClick={() => setWhole(true)}
          >
            {HELP.more(names.length - shown.length)}
          </button>
        )}
      </div>
    </div>
  );
}
