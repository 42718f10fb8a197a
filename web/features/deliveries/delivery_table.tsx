import { useDeferredValue, useState } from "react";
import type { DeliveryState } from "shared/delivery.ts";
import type { Audience } from "shared/delivery_words.ts";
import type { Delivery } from "shared/http_api.ts";
import { DELIVERIES } from "./text/deliveries.ts";
import { DownloadButton } from "../../ui/download_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Num } from "../../ui/num.tsx";
import { SearchField } from "../../ui/search_field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VirtualTable } from "../../ui/virtual_table.tsx";
import { searchedNumber } from "../../text/searched_number.ts";
import { DeliveryRow } from "./delivery_row.tsx";
import { DeliveryStoryDialog } from "./delivery_story.tsx";
import { useDeliveryPages } from "./use_delivery_pages.ts";

interface DeliveryTableProps {
  campaignId: number;
  total: number;
  state: DeliveryState | undefined;
  audience: Audience;
  /** True before the campaign was sent: its contacts are not in a queue yet. */
  isUnsent?: boolean;
  /** Whether states change by themselves; the rows are then polled with the campaign. */
  isMoving: boolean;
  /** Action of the button on an unknown delivery; absent when the viewer may not decide. */
  onResolve?: (delivery: Delivery) => void;
}

/** Lists any number of recipients; the page contains only the visible rows. */
export function DeliveryTable({ total, ...props }: DeliveryTableProps) {
  const { campaignId, state } = props;
  const [search, setSearch] = useState("");
  const q = searchedNumber(useDeferredValue(search));
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="rec-h">
      <div className="flex flex-wrap items-center gap-3 p-4">
        <h2 id="rec-h" tabIndex={-1} className="me-auto font-bold">
          {DELIVERIES.heading}{" "}
          <span className="font-normal text-ink-3">
            <Num>{total}</Num>
          </span>
        </h2>
        <SearchField
          label={DELIVERIES.search}
          inputMode="tel"
          className="input-sm w-52 max-sm:grow"
          value={search}
          onChange={setSearch}
        />
        {total > 0 && (
          <DownloadButton
            path={`/api/campaigns/${campaignId}/deliveries.csv`}
            fileName={`campaign-${campaignId}.csv`}
            className="btn-secondary btn-sm"
          >
            {DELIVERIES.csv}
          </DownloadButton>
        )}
      </div>
      <Recipients key={`${state} ${q}`} {...props} q={q} asked={search.trim()} />
    </section>
  );
}

interface RecipientsProps extends Omit<DeliveryTableProps, "total"> {
  q: string;
  /** The search text as typed. */
  asked: string;
}

function Recipients(
  { campaignId, state, q, asked, audience, isUnsent = false, isMoving, onResolve }: RecipientsProps,
) {
  const { rows, error, retry, onShown, onNearEnd } = useDeliveryPages(campaignId, { state, q }, isMoving);
  const [storyOf, setStoryOf] = useState<Delivery>();
  if (!rows || rows.length === 0) {
    return (
      <div className="px-4 pb-4">
        {rows
          ? <p className="text-sm text-ink-2" role="status">{nothingBecause(q, asked, state)}</p>
          : error
          ? <FailedBox title={DELIVERIES.failed} error={error} onRetry={retry} />
          : <Skeleton text={DELIVERIES.loading} rows={5} />}
      </div>
    );
  }
  return (
    <>
      <VirtualTable
        label={DELIVERIES.region}
        rows={rows}
        keyOf={(row) => row.id}
        head={<Head audience={audience} />}
        columns={5}
        renderRow={(row, place) => (
          <DeliveryRow
            delivery={row}
            audience={audience}
            isUnsent={isUnsent}
            place={place}
            onStory={setStoryOf}
            onResolve={onResolve}
          />
        )}
        onShown={onShown}
        onNearEnd={onNearEnd}
      />
      {storyOf && (
        <DeliveryStoryDialog
          campaignId={campaignId}
          delivery={storyOf}
          audience={audience}
          isUnsent={isUnsent}
          onClose={() => setStoryOf(undefined)}
        />
      )}
    </>
  );
}

function nothingBecause(q: string, asked: string, state: DeliveryState | undefined): string {
  if (asked) return q ? DELIVERIES.noMatch(asked) : DELIVERIES.noDigits;
  return state ? DELIVERIES.noneInState : DELIVERIES.noneYet;
}

function Head({ audience }: { audience: Audience }) {
  const { phone, state, account, time, reason } = DELIVERIES.columns;
  return (
    <>
      <th>{phone}</th>
      <th>{state}</th>
      <th className="hidden md:table-cell">{audience === "admin" ? account : DELIVERIES.sender}</th>
      <th>{time}</th>
      <th className="hidden md:table-cell">{reason}</th>
    </>
  );
}
