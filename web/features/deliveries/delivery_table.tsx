import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { RefreshCw, Search, TriangleAlert } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import type { DeliveryState } from "shared/delivery.ts";
import type { Delivery } from "shared/http_api.ts";
import { DELIVERIES } from "../../text/deliveries.ts";
import { errorText } from "../../text/error_text.ts";
import { SHELL } from "../../text/shell.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { Num } from "../../ui/num.tsx";
import { DeliveryRow } from "./delivery_row.tsx";
import { deliveriesQuery } from "./get_deliveries.ts";
import { phonePrefix } from "./phone_prefix.ts";

const ROW_PX = 45;
/** As often as the campaign above the table. */
const REFRESH_MS = 5000;
const OVERSCAN = 12;
/** How far from the end of what is loaded the next page is asked for. */
const LOAD_AHEAD_ROWS = 30;

interface DeliveryTableProps {
  campaignId: number;
  total: number;
  state: DeliveryState | undefined;
  /** Whether states are changing by themselves: the rows are then asked for again with the campaign. */
  isMoving: boolean;
  onResolve: (delivery: Delivery) => void;
}

/** The recipients, however many: only the rows in sight are in the page. */
export function DeliveryTable({ campaignId, total, state, isMoving, onResolve }: DeliveryTableProps) {
  const [search, setSearch] = useState("");
  const q = phonePrefix(useDeferredValue(search));
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(campaignId, { state, q }),
    refetchInterval: isMoving ? REFRESH_MS : false,
  });
  const rows = deliveries.data?.pages.flatMap((page) => page.items);
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="rec-h">
      <div className="flex flex-wrap items-center gap-3 p-4">
        <h2 id="rec-h" tabIndex={-1} className="me-auto font-bold">
          {DELIVERIES.heading}{" "}
          <span className="font-normal text-ink-3">
            <Num>{total}</Num>
          </span>
        </h2>
        <label className="input input-sm w-52">
          <Search className="size-4 text-ink-3" />
          <input
            type="search"
            inputMode="tel"
            aria-label={DELIVERIES.search}
            placeholder={DELIVERIES.search}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </label>
      </div>
      {rows && rows.length > 0
        ? (
          <VirtualRows
            rows={rows}
            onResolve={onResolve}
            onNearEnd={() => {
              if (deliveries.hasNextPage && !deliveries.isFetching) void deliveries.fetchNextPage();
            }}
          />
        )
        : <div className="px-4 pb-4">{standIn()}</div>}
    </section>
  );

  function standIn() {
    if (rows) {
      const text = q
        ? DELIVERIES.noMatch(search.trim())
        : state
        ? DELIVERIES.noneInState
        : DELIVERIES.noneYet;
      return <p className="text-sm text-ink-2" role="status">{text}</p>;
    }
    if (deliveries.isError) {
      return (
        <EmptyBox
          icon={TriangleAlert}
          title={DELIVERIES.failed}
          body={errorText(deliveries.error, "")}
          action={
            <button
              type="button"
              className="btn btn-secondary btn-sm"
              onClick={() => void deliveries.refetch()}
            >
              <RefreshCw className="size-4" />
              {SHELL.retry}
            </button>
          }
        />
      );
    }
    return <p className="text-sm text-ink-2" role="status">{DELIVERIES.loading}</p>;
  }
}

interface VirtualRowsProps {
  rows: Delivery[];
  onResolve: (delivery: Delivery) => void;
  onNearEnd: () => void;
}

function VirtualRows({ rows, onResolve, onNearEnd }: VirtualRowsProps) {
  const region = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: (index) => rows[index].id,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastShown >= rows.length - LOAD_AHEAD_ROWS) onNearEnd();
  }, [lastShown, rows.length]);

  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const { phone, state, account, time, reason } = DELIVERIES.columns;
  return (
    <div
      ref={region}
      className="max-h-[36rem] overflow-auto"
      tabIndex={0}
      role="region"
      aria-label={DELIVERIES.region}
    >
      <table className="grid-table" aria-rowcount={rows.length + 1}>
        <thead className="sticky top-0 z-10">
          <tr aria-rowindex={1}>
            <th>{phone}</th>
            <th>{state}</th>
            <th className="hidden md:table-cell">{account}</th>
            <th>{time}</th>
            <th className="hidden md:table-cell">{reason}</th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <SpacerRow heightPx={before} />}
          {items.map(({ index, key }) => (
            <DeliveryRow
              key={key as number}
              delivery={rows[index]}
              index={index}
              measure={virtual.measureElement}
              onResolve={onResolve}
            />
          ))}
          {after > 0 && <SpacerRow heightPx={after} />}
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows that are out of sight, so that the scroll bar tells the truth. */
function SpacerRow({ heightPx }: { heightPx: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={5} style={{ height: heightPx, padding: 0 }} />
    </tr>
  );
}
