import { useInfiniteQuery } from "@tanstack/react-query";
import { Lock, UserX } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Suppression } from "shared/suppressions_api.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { SUPPRESSIONS } from "./text/admin_suppressions.ts";
import { REMOVALS } from "./text/removals.ts";
import { formatMoment } from "../../text/format.ts";
import { searchedNumber } from "../../text/searched_number.ts";
import { DownloadButton } from "../../ui/download_button.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { useMayDo } from "../../ui/may_do.ts";
import { moreRows } from "../../ui/more_rows.ts";
import { Phone } from "../../ui/phone.tsx";
import { SearchField } from "../../ui/search_field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type ItemPlace, VirtualList } from "../../ui/virtual_list.tsx";
import { suppressionsQuery } from "./get_suppressions.ts";
import { RemoveDialog } from "./remove_dialog.tsx";

const ROW_PX = 53;
/** The server's limit for one removal. */
const MOST_CHOSEN = 1000;

interface SuppressionListProps {
  now: number;
  /** True for a client's own list, where recipients who asked for removal cannot be taken out. @default {false} */
  isOwn?: boolean;
}

/** Lists any number of suppressed numbers, with search, export, and removal after a question. */
export function SuppressionList({ now, isOwn = false }: SuppressionListProps) {
  const [search, setSearch] = useState("");
  const q = searchedNumber(useDeferredValue(search));
  const [chosen, setChosen] = useState<ReadonlyMap<number, Suppression>>(new Map());
  const [isAsking, setAsking] = useState(false);
  const mayRemove = useMayDo("sender");
  const pages = useInfiniteQuery(suppressionsQuery(q));
  const items = pages.data?.pages.flatMap((page) => page.items);

  function toggle(item: Suppression) {
    const next = new Map(chosen);
    if (!next.delete(item.id) && next.size < MOST_CHOSEN) next.set(item.id, item);
    setChosen(next);
  }

  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="suppressed-h">
      <div className="flex flex-wrap items-center gap-3 border-b border-base-300 px-5 py-4">
        <h2 id="suppressed-h" className="me-auto text-lg font-bold">{SUPPRESSIONS.list}</h2>
        <SearchField
          label={SUPPRESSIONS.search}
          inputMode="tel"
          className="input-sm w-52 max-sm:grow"
          value={search}
          onChange={setSearch}
        />
        <DownloadButton
          path="/api/suppressions.csv"
          fileName="suppressions.csv"
          className="btn-secondary btn-sm"
        >
          {SUPPRESSIONS.export}
        </DownloadButton>
        {/* Not `disabled`, and rendered while none is chosen: the dialog returns the focus to it. */}
        {mayRemove && (
          <button
            type="button"
            className={`btn btn-outline btn-error btn-sm ${chosen.size === 0 ? "btn-disabled" : ""}`}
            aria-disabled={chosen.size === 0 || undefined}
            onClick={() => chosen.size > 0 && setAsking(true)}
          >
            {SUPPRESSIONS.remove(chosen.size)}
          </button>
        )}
      </div>
      {items && items.length > 0
        ? (
          <VirtualList
            label={SUPPRESSIONS.region}
            className="max-h-[70dvh]"
            items={items}
            keyOf={({ id }) => id}
            itemPx={ROW_PX}
            renderItem={(item, place) => (
              <Row
                item={item}
                now={now}
                place={place}
                isChosen={chosen.has(item.id)}
                isFixed={isOwn && item.source === "reply"}
                isChoosable={mayRemove}
                onToggle={() => toggle(item)}
              />
            )}
            {...moreRows(pages)}
          />
        )
        : <div className="p-5">{standIn()}</div>}
      {isAsking && (
        <RemoveDialog
          chosen={[...chosen.values()]}
          onDone={() => setChosen(new Map())}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );

  function standIn() {
    if (search.trim() && q === "") {
      return <p className="text-sm text-ink-2" role="status">{SUPPRESSIONS.noDigits}</p>;
    }
    if (items) {
      if (q) {
        return <p className="text-sm text-ink-2" role="status">{ADMIN_COMMON.noMatch(search.trim())}</p>;
      }
      const body = isOwn ? REMOVALS.emptyMeaning : SUPPRESSIONS.emptyMeaning;
      return <EmptyBox icon={UserX} title={SUPPRESSIONS.empty} body={body} />;
    }
    if (pages.isError) {
      return <FailedBox title={SUPPRESSIONS.failed} error={pages.error} onRetry={pages.refetch} />;
    }
    return <Skeleton text={SUPPRESSIONS.loading} rows={6} />;
  }
}

interface RowProps {
  item: Suppression;
  now: number;
  place: ItemPlace;
  isChosen: boolean;
  isFixed: boolean;
  /** False for a viewer who may not remove: the row has no box. */
  isChoosable: boolean;
  onToggle: () => void;
}

function Row(
  { item: { phone, source, at }, now, place, isChosen, isFixed, isChoosable, onToggle }: RowProps,
) {
  const cursor = isFixed || !isChoosable ? "" : "cursor-pointer";
  return (
    <li {...place}>
      <label
        className={`flex items-center gap-3 px-5 py-3.5 text-sm ${cursor}`}
        title={isFixed ? REMOVALS.askedThemselves : undefined}
      >
        {isFixed
          ? (
            <span className="grid size-5 place-items-center text-ink-3">
              <Lock className="size-4" role="img" aria-label={REMOVALS.askedThemselves} />
            </span>
          )
          : isChoosable && (
            <input
              type="checkbox"
              className="checkbox checkbox-primary checkbox-sm"
              aria-label={SUPPRESSIONS.choose(phone)}
              checked={isChosen}
              onChange={onToggle}
            />
          )}
        <span className="font-semibold">
          <Phone e164={phone} />
        </span>
        <span className="ms-auto text-xs text-ink-3">
          {SUPPRESSIONS.sources[source]} · {formatMoment(at, now)}
        </span>
      </label>
    </li>
  );
}
