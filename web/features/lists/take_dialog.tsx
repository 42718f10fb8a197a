import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { Link } from "react-router-dom";
import type { CampaignKind } from "shared/campaign.ts";
import type { UploadResult } from "shared/http_api.ts";
import type { Choice, ChoiceCount, ContactList, FieldFilter } from "shared/lists_api.ts";
import { LIST_PATHS } from "../../list_paths.ts";
import { errorText } from "../../text/error_text.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { consentOf, dayOf, missingOf, NO_CONSENT } from "../../ui/consent_draft.ts";
import { ConsentFields } from "../../ui/consent_fields.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { Num } from "../../ui/num.tsx";
import { ProblemLine } from "../../ui/problem_line.tsx";
import { failureOf } from "../../ui/show_failure.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useTakeFromLists } from "./change_lists.ts";
import { choiceCountQuery, listsQuery } from "./get_lists.ts";
import { MAX_FIELD_VALUE_CHARS } from "./limits.ts";
import { LISTS, TAKE } from "./text.ts";

/** A pause in typing after which the choice is counted. */
const COUNT_AFTER_MS = 350;
const KINDS = ["is", "is_not", "contains", "is_empty", "is_filled"] as const;
const AMOUNTS = ["everybody", "first", "random"] as const;
const REASONS = ["removed", "noConsent", "alreadyHere", "reached"] as const;

interface TakeDialogProps {
  campaignId: number;
  kind: CampaignKind;
  /** The client's sent campaigns, for exceptions. */
  campaigns: readonly { id: number; name: string }[];
  onTaken: (result: UploadResult) => void;
  onClose: () => void;
}

/** Chooses people of lists for a campaign; says how many will be added before it adds them. */
export function TakeDialog({ campaignId, kind, campaigns, onTaken, onClose }: TakeDialogProps) {
  const lists = useQuery(listsQuery());
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [filters, setFilters] = useState<FieldFilter[]>([]);
  const [isLately, setLately] = useState(false);
  const [days, setDays] = useState("30");
  const [exceptList, setExceptList] = useState("");
  const [exceptCampaign, setExceptCampaign] = useState("");
  const [amount, setAmount] = useState<(typeof AMOUNTS)[number]>("everybody");
  const [count, setCount] = useState("100");
  const [consent, setConsent] = useState(NO_CONSENT);
  const [tries, setTries] = useState(0);
  const isMarketing = kind === "marketing";
  const isDeclared = isMarketing && missingOf(consent, dayOf(Date.now())) === undefined;
  const declared = isDeclared ? consentOf(consent) : undefined;
  const complete = filters.filter(({ field, kind, value }) =>
    field !== "" && (value.trim() !== "" || kind === "is_empty" || kind === "is_filled")
  );
  const choice: (Choice & { consent?: ReturnType<typeof consentOf> }) | null = chosen.size === 0 ? null : {
    lists: [...chosen],
    where: complete,
    notWithinDays: isLately ? wholeOf(days) : null,
    except: {
      lists: exceptList === "" ? [] : [Number(exceptList)],
      campaigns: exceptCampaign === "" ? [] : [Number(exceptCampaign)],
    },
    take: amount === "everybody" || wholeOf(count) === null ? null : { kind: amount, count: wholeOf(count)! },
    ...(declared && { consent: declared }),
  };
  const counted = useQuery({
    ...choiceCountQuery(campaignId, useSettled(choice)),
    placeholderData: keepPreviousData,
  });
  const take = useTakeFromLists(campaignId, onTaken);
  const failure = take.isError ? failureOf(TAKE.failedTitle, take.error, TAKE.failed) : undefined;
  const names = [
    ...new Set((lists.data?.items ?? []).filter(({ id }) => chosen.has(id)).flatMap(({ fields }) => fields)),
  ];
  const willAdd = choice === null ? 0 : counted.data?.added ?? 0;

  function submit() {
    if (take.isPending || choice === null || willAdd === 0) return;
    if (isMarketing && !isDeclared) return setTries(tries + 1);
    // The people that were counted: a choice by chance is made again with its seed.
    const seed = counted.data?.seed ?? undefined;
    take.mutate(choice.take?.kind === "random" ? { ...choice, take: { ...choice.take, seed } } : choice);
  }

  return (
    <Dialog title={TAKE.title} onClose={onClose}>
      {lists.data && lists.data.items.length === 0
        ? (
          <>
            <p className="text-sm">{TAKE.none}</p>
            <DialogFoot onLeave={onClose}>
              <Link to={LIST_PATHS.all} className="btn btn-primary">{TAKE.toLists}</Link>
            </DialogFoot>
          </>
        )
        : lists.data
        ? (
          <div className="flex flex-col gap-4">
            <Lists
              items={lists.data.items}
              chosen={chosen}
              onToggle={(id) => {
                const next = new Set(chosen);
                if (!next.delete(id)) next.add(id);
                setChosen(next);
              }}
            />
            {names.length > 0 && <Filters names={names} filters={filters} onChange={setFilters} />}
            <div>
              <label className="flex min-h-10 items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  className="checkbox checkbox-primary checkbox-sm"
                  checked={isLately}
                  onChange={() => setLately(!isLately)}
                />
                {TAKE.lately}
              </label>
              {isLately && (
                <Field
                  label={TAKE.latelyDays}
                  inputMode="numeric"
                  dir="ltr"
                  className="text-end"
                  maxLength={4}
                  value={days}
                  onChange={setDays}
                />
              )}
            </div>
            <fieldset className="grid gap-3">
              <legend className="mb-1 text-sm font-semibold">{TAKE.except}</legend>
              <Choose
                label={TAKE.exceptLists}
                none={TAKE.noException}
                options={lists.data.items}
                value={exceptList}
                onChange={setExceptList}
              />
              <Choose
                label={TAKE.exceptCampaigns}
                none={TAKE.noException}
                options={campaigns}
                value={exceptCampaign}
                onChange={setExceptCampaign}
              />
            </fieldset>
            <Amount amount={amount} count={count} onAmount={setAmount} onCount={setCount} />
            {isMarketing && <ConsentFields draft={consent} onChange={setConsent} tries={tries} />}
          </div>
        )
        : <Skeleton text={LISTS.loading} />}
      {lists.data && lists.data.items.length > 0 && (
        // In sight wherever the choice is scrolled to: the count changes with every entry.
        <div className="sticky -bottom-6 -mx-6 mt-4 -mb-6 border-t border-base-300 bg-base-100 px-6 py-4">
          <div role="status" className="min-h-12 text-sm">
            {choice === null
              ? TAKE.chooseFirst
              : counted.isError
              ? `${TAKE.countFailed}. ${errorText(counted.error, "")}`
              : counted.data
              ? <Counts counts={counted.data} isOld={counted.isFetching} />
              : TAKE.counting}
          </div>
          {failure && <ProblemLine {...failure} />}
          <DialogFoot className="mt-3" onLeave={onClose}>
            {/* Not `disabled`: the reason stands above it. */}
            <BusyButton
              className={`btn-primary ${willAdd === 0 ? "btn-disabled" : ""}`}
              aria-disabled={willAdd === 0 || undefined}
              busy={take.isPending}
              busyText={TAKE.taking}
              onClick={submit}
            >
              {willAdd === 0 ? TAKE.submitNone : TAKE.submit(willAdd)}
            </BusyButton>
          </DialogFoot>
        </div>
      )}
    </Dialog>
  );
}

interface ListsProps {
  items: readonly ContactList[];
  chosen: ReadonlySet<number>;
  onToggle: (id: number) => void;
}

function Lists({ items, chosen, onToggle }: ListsProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{TAKE.lists}</legend>
      <div className="max-h-48 overflow-auto rounded-field border border-base-300">
        {items.map(({ id, name, size }) => (
          <label key={id} className="flex min-h-11 items-center gap-2 px-3 py-2 text-sm">
            <input
              type="checkbox"
              className="checkbox checkbox-primary checkbox-sm"
              checked={chosen.has(id)}
              onChange={() =>
                onToggle(id)}
            />
            <bdi className="min-w-0 grow wrap-anywhere">{name}</bdi>
            <span className="shrink-0 text-xs text-ink-3">{LISTS.people(size)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface FiltersProps {
  names: readonly string[];
  filters: readonly FieldFilter[];
  onChange: (filters: FieldFilter[]) => void;
}

function Filters({ names, filters, onChange }: FiltersProps) {
  const set = (at: number, change: Partial<FieldFilter>) =>
    onChange(filters.map((filter, index) => index === at ? { ...filter, ...change } : filter));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-semibold">{TAKE.filters}</legend>
      {filters.map(({ field, kind, value }, at) => (
        <div key={at} className="flex flex-wrap items-center gap-2">
          <select
            className="select min-w-0 flex-1"
            aria-label={TAKE.field}
            value={field}
            onChange={(event) =>
              set(at, { field: event.currentTarget.value })}
          >
            {names.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
          <select
            className="select w-28"
            aria-label={TAKE.kind}
            value={kind}
            onChange={(event) =>
              set(at, { kind: event.currentTarget.value as FieldFilter["kind"] })}
          >
            {KINDS.map((one) => <option key={one} value={one}>{TAKE.kinds[one]}</option>)}
          </select>
          <button
            type="button"
            className="btn btn-ghost btn-square btn-sm"
            aria-label={TAKE.removeFilter}
            onClick={() => onChange(filters.filter((_, index) => index !== at))}
          >
            <X className="size-4" />
          </button>
          {kind !== "is_empty" && kind !== "is_filled" && (
            <input
              className="input w-full"
              aria-label={TAKE.value}
              placeholder={TAKE.value}
              maxLength={MAX_FIELD_VALUE_CHARS}
              value={value}
              onChange={(event) => set(at, { value: event.currentTarget.value })}
            />
          )}
        </div>
      ))}
      {filters.length < 10 && (
        <button
          type="button"
          className="btn btn-ghost btn-sm justify-self-start border-base-300"
          onClick={() => onChange([...filters, { field: names[0]!, kind: "is", value: "" }])}
        >
          <Plus className="size-4" />
          {TAKE.addFilter}
        </button>
      )}
    </fieldset>
  );
}

interface ChooseProps {
  label: string;
  none: string;
  options: readonly { id: number; name: string }[];
  value: string;
  onChange: (value: string) => void;
}

function Choose({ label, none, options, value, onChange }: ChooseProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm">{label}</label>
      <select
        id={id}
        className="select w-full"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="">{none}</option>
        {options.map(({ id, name }) => <option key={id} value={String(id)}>{name}</option>)}
      </select>
    </div>
  );
}

interface AmountProps {
  amount: (typeof AMOUNTS)[number];
  count: string;
  onAmount: (amount: (typeof AMOUNTS)[number]) => void;
  onCount: (count: string) => void;
}

function Amount({ amount, count, onAmount, onCount }: AmountProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{TAKE.howMany}</legend>
      <div className="flex flex-col gap-2">
        {AMOUNTS.map((one) => (
          <label key={one} className="choice">
            <input
              type="radio"
              name={name}
              className="radio radio-sm radio-primary"
              checked={amount === one}
              onChange={() => onAmount(one)}
            />
            <span>{TAKE[one]}</span>
          </label>
        ))}
      </div>
      {amount !== "everybody" && (
        <div className="mt-2">
          <Field
            label={TAKE.count}
            inputMode="numeric"
            dir="ltr"
            className="text-end"
            maxLength={8}
            value={count}
            onChange={onCount}
          />
        </div>
      )}
    </fieldset>
  );
}

function Counts({ counts, isOld }: { counts: ChoiceCount; isOld: boolean }) {
  if (counts.fitting === 0) return TAKE.nobody;
  return (
    <div className={isOld ? "opacity-70" : ""}>
      <p className="flex items-baseline gap-2">
        <b className="text-2xl font-extrabold tracking-tight">
          <Num>{counts.added}</Num>
        </b>
        {TAKE.willAdd(counts.added)}
      </p>
      <p className="text-xs text-ink-2">{TAKE.of(counts.fitting, counts.total)}</p>
      <dl className="mt-1 grid gap-0.5 text-xs text-ink-2">
        {REASONS.map((reason) =>
          counts[reason] > 0 && (
            <div key={reason} className="flex gap-1.5">
              <dt>{TAKE.reasons[reason]}:</dt>
              <dd className="font-bold">
                <Num>{counts[reason]}</Num>
              </dd>
            </div>
          )
        )}
      </dl>
    </div>
  );
}

/** Returns the value after it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), COUNT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}

/** Returns a typed whole number above 0, or null. */
function wholeOf(typed: string): number | null {
  const number = Number(typed.replaceAll(",", "").trim());
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
