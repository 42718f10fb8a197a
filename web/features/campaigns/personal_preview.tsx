import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, CircleAlert, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { EDITABLE_STATUSES, MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import type { PersonalPreview as Preview, PersonalRow } from "shared/personal_api.ts";
import { parseTemplate, type TextPart } from "shared/personal_text.ts";
import { errorText } from "../../text/error_text.ts";
import { ACTS } from "../../text/acts.ts";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Phone } from "../../ui/phone.tsx";
import { SearchField } from "../../ui/search_field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { neighboursQuery, personalRowsQuery, type RowChoice, useRowInView } from "./get_personal.ts";
import { MessageBubble } from "./message_bubble.tsx";
import { PERSONAL } from "./text/personal.ts";
import { faultText, lackingText, unknownText } from "./text/personal_help.ts";

const CHOICES = ["first", "longest", "emptiest"] as const satisfies readonly RowChoice[];

interface PersonalPreviewProps {
  campaign: Campaign;
  image?: { url: string; label: string };
  /** The screen itself says how many lack a value or have too long a text, and what is wrong with the message. */
  areCountsSaid?: boolean;
}

/** The texts of a campaign's recipients as phones get them: chosen ones, and any other by search. */
export function PersonalPreview({ campaign, image, areCountsSaid = false }: PersonalPreviewProps) {
  const { preview, row, choice, choose, show } = useRowInView(campaign);
  const [q, setQuery] = useState("");
  const found = useFound(campaign, q.trim());
  const { data } = preview;
  if (!data) {
    if (preview.isError) {
      return <FailedBox title={PERSONAL.failed} error={preview.error} onRetry={preview.refetch} />;
    }
    const isImporting = preview.fetchStatus === "idle";
    return (
      <div className="grid gap-3">
        <div className="rounded-field bg-base-200 p-3">
          <MessageBubble message={campaign.message} image={image} />
        </div>
        <p role="status" className="text-sm text-ink-2">
          {isImporting ? PERSONAL.importing : PERSONAL.loading}
        </p>
      </div>
    );
  }
  const isUnsent = EDITABLE_STATUSES.includes(campaign.status);
  const { parts, faults } = parseTemplate(campaign.message);

  return (
    <div className="grid min-w-0 gap-3">
      {!areCountsSaid && <Counts preview={data} message={campaign.message} />}
      {row === null
        ? (
          <>
            <div className="rounded-field bg-base-200 p-3">
              <MessageBubble message={campaign.message} image={image} />
            </div>
            <p className="text-sm text-ink-2">{PERSONAL.noRows}</p>
          </>
        )
        : (
          <>
            {isUnsent && (
              <Segments
                label={PERSONAL.choices}
                options={CHOICES.map((value) => ({ value, label: PERSONAL[value] }))}
                chosen={choice ?? ""}
                onChoose={(of) => of && choose(of)}
              />
            )}
            <SearchField label={PERSONAL.search} value={q} onChange={setQuery} className="w-full" />
            {q.trim() && <FoundRows found={found} q={q.trim()} shown={row.id} onShow={show} />}
            <div className="flex items-center justify-between gap-2">
              <b className="text-sm">
                <Phone e164={row.phone} />
              </b>
              {q.trim() ? <FoundSteps rows={found.rows} shown={row.id} onShow={show} /> : (
                <AllSteps
                  campaign={campaign}
                  count={isUnsent ? data.count : campaign.totalContacts}
                  shown={row.id}
                  onShow={show}
                />
              )}
            </div>
            <Row
              row={row}
              parts={parts}
              hasFaults={faults.length > 0}
              message={campaign.message}
              image={image}
            />
          </>
        )}
    </div>
  );
}

interface StepsProps {
  shown: number;
  onShow: (row: PersonalRow) => void;
}

/** Steps through what a search found so far. */
function FoundSteps({ rows, shown, onShow }: StepsProps & { rows: readonly PersonalRow[] }) {
  const at = rows.findIndex(({ id }) => id === shown);
  if (rows.length < 2) return null;
  return (
    <Steps
      place={at < 0 ? null : at + 1}
      count={rows.length}
      previous={rows[at - 1] ?? null}
      next={rows[at + 1] ?? null}
      onShow={onShow}
    />
  );
}

/** Steps through all recipients, from the one in view. */
function AllSteps({ campaign, count, shown, onShow }: StepsProps & { campaign: Campaign; count: number }) {
  const beside = useQuery(neighboursQuery(campaign, shown));
  if (count < 2) return null;
  if (beside.isError && !beside.data) {
    return (
      <button type="button" className="btn btn-ghost btn-sm" onClick={() => void beside.refetch()}>
        {PERSONAL.stepFailed}
      </button>
    );
  }
  const { previous = null, next = null, place = null } = beside.data ?? {};
  return <Steps {...{ previous, next, place, count, onShow }} />;
}

interface StepProps {
  place: number | null;
  count: number;
  /** Null = none, or not read yet. */
  previous: PersonalRow | null;
  next: PersonalRow | null;
  onShow: (row: PersonalRow) => void;
}

/** The buttons stay where they are while the next recipients are read, so that a person can press again and again. */
function Steps({ place, count, previous, next, onShow }: StepProps) {
  return (
    <span className="flex items-center gap-1 text-sm text-ink-2">
      {place !== null && PERSONAL.place(place, count)}
      <button
        type="button"
        className="btn btn-ghost btn-square btn-sm aria-disabled:opacity-40"
        aria-label={PERSONAL.previous}
        aria-disabled={previous === null}
        onClick={() => previous !== null && onShow(previous)}
      >
        <ChevronRight className="size-4" />
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-square btn-sm aria-disabled:opacity-40"
        aria-label={PERSONAL.next}
        aria-disabled={next === null}
        onClick={() => next !== null && onShow(next)}
      >
        <ChevronLeft className="size-4" />
      </button>
    </span>
  );
}

/** What is wrong with the message for some recipients. */
function Counts({ preview, message }: { preview: Preview; message: string }) {
  const { faults, unknown, missing, tooLong, longestChars } = preview;
  const wrong = [
    ...faults.map((fault) => faultText(fault, message)),
    ...unknown.map((of) => unknownText(of.field)),
  ];
  const warnings = [
    missing > 0 && lackingText(missing),
    tooLong > 0 && PERSONAL.tooLong(tooLong, longestChars, MAX_MESSAGE_CHARS),
  ].filter((text) => text !== false);
  return (
    <div role="status" className="grid gap-2 text-sm empty:hidden">
      {wrong.map((text) => <Line key={text} tone="bad" text={text} />)}
      {wrong.length === 0 && warnings.map((text) => <Line key={text} tone="warn" text={text} />)}
    </div>
  );
}

function Line({ tone, text }: { tone: "bad" | "warn"; text: string }) {
  const Icon = tone === "bad" ? CircleAlert : TriangleAlert;
  return (
    <p className={`tone-${tone} flex items-start gap-1.5 text-tone wrap-anywhere`}>
      <Icon className="mt-0.5 size-4 shrink-0" />
      <span>{text}</span>
    </p>
  );
}

interface RowProps {
  row: PersonalRow;
  parts: readonly TextPart[];
  hasFaults: boolean;
  message: string;
  image?: { url: string; label: string };
}

/** One recipient's message, and the values in it. */
function Row({ row, parts, hasFaults, message, image }: RowProps) {
  const { text, missing, values } = row;
  return (
    <>
      <div
        className="max-h-80 overflow-y-auto rounded-field bg-base-200 p-3"
        tabIndex={0}
        role="region"
        aria-label={PERSONAL.bubble}
      >
        {text !== null
          ? <MessageBubble message={text} image={image} />
          : hasFaults
          ? <MessageBubble message={message} image={image} />
          : <Line tone="warn" text={PERSONAL.lacks(missing)} />}
      </div>
      {text !== null && text.length > MAX_MESSAGE_CHARS && (
        <div className="text-sm">
          <Line tone="bad" text={PERSONAL.rowTooLong(text.length, MAX_MESSAGE_CHARS)} />
        </div>
      )}
      <Values values={values} parts={parts} />
    </>
  );
}

function Values({ values, parts }: { values: PersonalRow["values"]; parts: readonly TextPart[] }) {
  const asked = new Map<string, string | null>();
  for (const part of parts) {
    if (typeof part === "string" || !("field" in part) || part.field === "") continue;
    // Without a fallback anywhere the value is needed.
    asked.set(part.field, asked.get(part.field) === null ? null : part.fallback);
  }
  const names = [...new Set([...asked.keys(), ...Object.keys(values)])];
  if (names.length === 0) return <p className="text-sm text-ink-2">{PERSONAL.noValues}</p>;
  return (
    <dl
      className="grid max-h-52 grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-4 gap-y-1.5 overflow-y-auto text-sm"
      aria-label={PERSONAL.values}
      tabIndex={0}
    >
      {names.map((name) => (
        <div key={name} className="contents">
          <dt className="text-ink-2 wrap-anywhere">
            <bdi>{name}</bdi>
          </dt>
          <dd className="min-w-0 font-semibold wrap-anywhere">
            <Value value={Object.hasOwn(values, name) ? values[name]! : ""} fallback={asked.get(name)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** `fallback`: null = the message needs the value, undefined = the message does not ask for it. */
function Value({ value, fallback }: { value: string; fallback: string | null | undefined }) {
  if (value !== "") return <bdi>{value}</bdi>;
  if (fallback === null) return <Line tone="warn" text={PERSONAL.missing} />;
  return (
    <span className="font-normal text-ink-2">
      {fallback === undefined ? PERSONAL.empty : PERSONAL.fallback(fallback)}
    </span>
  );
}

type Found = ReturnType<typeof useFound>;

function useFound(campaign: Campaign, q: string) {
  const search = useInfiniteQuery({
    ...personalRowsQuery(campaign, q),
    ...(q === "" ? { enabled: false } : {}),
  });
  return { search, rows: search.data?.pages.flatMap(({ items }) => items) ?? [] };
}

interface FoundRowsProps {
  found: Found;
  q: string;
  shown: number;
  onShow: (row: PersonalRow) => void;
}

/** The recipients that a search found, to choose from. */
function FoundRows({ found: { search, rows }, q, shown, onShow }: FoundRowsProps) {
  if (search.isError && rows.length === 0) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
        {errorText(search.error, PERSONAL.searchFailed)}
        <button type="button" className="btn btn-sm btn-secondary" onClick={() => void search.refetch()}>
          {ACTS.retry}
        </button>
      </p>
    );
  }
  if (search.isPending) return <p role="status" className="text-sm text-ink-2">{PERSONAL.searching}</p>;
  return (
    <div className="grid gap-1.5">
      {rows.length === 0 && (
        <p role="status" className="text-sm text-ink-2">
          {search.hasNextPage ? PERSONAL.lookedSoFar : PERSONAL.noMatch(q)}
        </p>
      )}
      {rows.length > 0 && (
        <ul className="max-h-44 overflow-y-auto rounded-field border border-base-300">
          {rows.map((row) => (
            <li key={row.id} className="border-b border-base-300 last:border-0">
              <button
                type="button"
                className="flex w-full min-w-0 items-center gap-3 px-3 py-2 text-start text-sm hover:bg-base-200 aria-pressed:bg-secondary aria-pressed:text-secondary-content"
                aria-pressed={row.id === shown}
                onClick={() => onShow(row)}
              >
                <Phone e164={row.phone} />
                <bdi className="min-w-0 truncate">
                  {Object.values(row.values).filter(Boolean).join(" · ")}
                </bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      {search.hasNextPage && (
        <button
          type="button"
          className="btn btn-ghost btn-sm justify-self-start"
          onClick={() => void search.fetchNextPage()}
        >
          {search.isFetchingNextPage ? PERSONAL.searching : PERSONAL.more}
        </button>
      )}
    </div>
  );
}
