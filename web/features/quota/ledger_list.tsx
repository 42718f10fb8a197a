import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { LedgerEntry } from "shared/http_api.ts";
import { ledgerWords } from "shared/ledger_words.ts";
import { QUOTA } from "./text.ts";
import { formatChange, formatDay, formatTime } from "../../text/format.ts";
import { SHELL } from "../../text/shell.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { DownloadButton } from "../../ui/download_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Num } from "../../ui/num.tsx";
import { useNow } from "../../ui/use_now.ts";
import { ledgerQuery } from "./get_ledger.ts";
import { mergeEntries } from "./merge_entries.ts";

const DAY_STEP_MS = 60_000;
/** Number of entries shown first, below the campaigns. */
const FIRST_SHOWN = 6;

interface LedgerListProps {
  userId: number;
  /** Leaves out the sheet and the heading when the surrounding screen has them. */
  isBare?: boolean;
  /** Further acts beside the file. */
  more?: ReactNode;
  /** True for an administrator, who sees the client from outside. */
  isForAdmin?: boolean;
}

/** 'תנועות במכסה': lists every change of the quota with its cause and the balance after it. */
export function LedgerList({ userId, isBare = false, isForAdmin = false, more }: LedgerListProps) {
  const ledger = useInfiniteQuery(ledgerQuery(userId));
  const now = useNow(DAY_STEP_MS);
  const [isLong, setLong] = useState(isBare);
  const entries = ledger.data && mergeEntries(ledger.data.pages.flatMap((page) => page.items));
  const shown = (isLong ? entries : entries?.slice(0, FIRST_SHOWN)) ?? [];
  return (
    <section
      className={isBare ? "-mx-5" : "sheet overflow-hidden"}
      aria-labelledby={isBare ? undefined : "led-h"}
    >
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
        {!isBare && <h2 id="led-h" tabIndex={-1} className="text-lg font-bold">{QUOTA.heading}</h2>}
        {more}
        {shown.length > 0 && (
          <DownloadButton
            path={`/api/users/${userId}/ledger.csv`}
            fileName={QUOTA.csvName}
            className="btn-sm btn-ghost border-base-300"
          >
            {QUOTA.csv}
          </DownloadButton>
        )}
      </div>
      {shown.length > 0 && (
        <table className="grid-table">
          <thead>
            <tr>
              <th className="hidden sm:table-cell">{QUOTA.columns.when}</th>
              <th>{QUOTA.columns.what}</th>
              <th>{QUOTA.columns.change}</th>
              <th>{QUOTA.columns.balance}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <LedgerRow key={entry.id} entry={entry} now={now} isForAdmin={isForAdmin} />
            ))}
          </tbody>
        </table>
      )}
      {entries?.length === 0 && <p className="px-5 pb-5 text-sm text-ink-2">{QUOTA.empty}</p>}
      {ledger.isPending && (
        <div className="flex flex-col gap-3 px-5 pb-5" role="status" aria-label={QUOTA.loading}>
          <span className="skeleton h-3 w-full" />
          <span className="skeleton h-3 w-2/3" />
        </div>
      )}
      {ledger.isError && !entries && (
        <div className="px-5 pb-5">
          <FailedBox title={QUOTA.failed} error={ledger.error} onRetry={ledger.refetch} />
        </div>
      )}
      {(ledger.hasNextPage || shown.length < (entries?.length ?? 0)) && (
        <BusyButton
          className="btn-ghost w-full rounded-none"
          busy={ledger.isFetchingNextPage}
          busyText={SHELL.loading}
          onClick={() => {
            if (shown.length === entries?.length) void ledger.fetchNextPage();
            setLong(true);
          }}
        >
          {QUOTA.more}
        </BusyButton>
      )}
    </section>
  );
}

function LedgerRow({ entry, now, isForAdmin }: { entry: LedgerEntry; now: number; isForAdmin: boolean }) {
  const when = `${formatDay(entry.at, now)} ${formatTime(entry.at)}`;
  const { actor, actorName, campaignName, reason } = entry;
  const who = actor === "client" && !isForAdmin ? QUOTA.self : actorName ?? QUOTA.actors[actor];
  const act = ledgerWords(entry);
  return (
    <tr>
      <td className="hidden whitespace-nowrap text-ink-2 sm:table-cell">{when}</td>
      <td className="w-full wrap-anywhere">
        {campaignName === null ? act : `${act}: ${campaignName}`}
        {reason !== null && <span className="block text-sm text-ink-2">{QUOTA.reason(reason)}</span>}
        <span className="block text-xs text-ink-3">
          <span className="sm:hidden">{when} ·</span> <bdi>{who}</bdi>
        </span>
      </td>
      <td className="font-bold">
        <Num>{formatChange(entry.delta)}</Num>
      </td>
      <td className="text-ink-2">
        <Num>{entry.balanceAfter}</Num>
      </td>
    </tr>
  );
}
