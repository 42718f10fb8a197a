import type { Trends } from "shared/trends.ts";
import { appName } from "../../text/admin_devices.ts";
import { formatNumber } from "../../text/format.ts";
import { percentOf } from "../../text/percent.ts";
import { Num } from "../../ui/num.tsx";
import { ChangeOf } from "./change_of.tsx";
import { TRENDS } from "./text.ts";

interface TrendListProps {
  trends: Trends;
  chosen: number | undefined;
  onChoose: (id: number | undefined) => void;
}

/** The sites, accounts or clients of the period, most messages first; a name shows it alone in the chart. */
export function TrendList({ trends: { items, by, more }, chosen, onChoose }: TrendListProps) {
  if (items.length === 0) return <p className="py-6 text-sm text-ink-2">{TRENDS.nobody}</p>;
  return (
    <>
      <div className="relative overflow-x-auto" role="region" tabIndex={0} aria-label={TRENDS.lists[by]}>
        <table className="grid-table">
          <thead>
            <tr>
              <th scope="col">{TRENDS.keys[by]}</th>
              <th scope="col">{TRENDS.sent}</th>
              <th scope="col">{TRENDS.before}</th>
              <th scope="col">{TRENDS.change}</th>
              <th scope="col">{TRENDS.failedCount}</th>
              <th scope="col">{TRENDS.unknown}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id} className={item.id === chosen ? "bg-sunk" : ""}>
                <th scope="row" className="font-normal">
                  <button
                    type="button"
                    className="flex max-w-40 flex-col sm:max-w-64 py-1 text-start"
                    aria-pressed={item.id === chosen}
                    onClick={() => onChoose(item.id === chosen ? undefined : item.id)}
                  >
                    <span className="sr-only">{TRENDS.show}</span>{" "}
                    <span className="flex max-w-full font-semibold text-primary">
                      <bdi className="truncate">{item.name}</bdi>
                    </span>{" "}
                    {item.place && (
                      <span className="flex max-w-full gap-1.5 text-xs text-ink-3">
                        <bdi className="truncate">{item.place}</bdi>
                        <bdi className="shrink-0">{appName(item.account)}</bdi>
                      </span>
                    )}
                  </button>
                </th>
                <td className="font-bold">
                  <Num>{formatNumber(item.sent)}</Num>
                </td>
                <td>
                  <Num>{item.sentBefore === null ? "–" : formatNumber(item.sentBefore)}</Num>
                </td>
                <td>
                  {item.sentBefore === null ? "–" : <ChangeOf value={item.sent} before={item.sentBefore} />}
                </td>
                <td>
                  <Share part={item.failed} item={item} />
                </td>
                <td>
                  <Share part={item.unknown} item={item} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p className="mt-3 text-sm text-ink-2">{TRENDS.more(more)}</p>}
    </>
  );
}

function Share({ part, item: { sent, failed, unknown } }: { part: number; item: Trends["items"][number] }) {
  return (
    <span className="whitespace-nowrap">
      <Num>{formatNumber(part)}</Num>
      {part > 0 && (
        <span className="ms-1.5 text-xs text-ink-3">
          <Num>{percentOf(part, sent + failed + unknown)}</Num>
        </span>
      )}
    </span>
  );
}
