import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, Eraser, Hourglass } from "lucide-react";
import type { Erasure } from "shared/privacy.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { PRIVACY } from "./text.ts";
import { formatMoment } from "../../text/format.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { erasuresQuery } from "./get_erasures.ts";

/** Lists erasures with author, reason and progress. */
export function CertificateList({ now }: { now: number }) {
  const pages = useInfiniteQuery(erasuresQuery);
  const items = pages.data?.pages.flatMap((page) => page.items);
  if (!items) {
    return pages.isError
      ? <FailedBox title={PRIVACY.loadFailed} error={pages.error} onRetry={pages.refetch} />
      : <Skeleton text={PRIVACY.loading} rows={3} />;
  }
  if (items.length === 0) return <EmptyBox icon={Eraser} title={PRIVACY.empty} />;
  return (
    <>
      <ul className="grid gap-4" aria-label={PRIVACY.list}>
        {items.map((erasure) => <Certificate key={erasure.id} erasure={erasure} now={now} />)}
      </ul>
      {pages.hasNextPage && (
        <button
          type="button"
          className="btn btn-secondary btn-sm mt-4"
          onClick={() => void pages.fetchNextPage()}
        >
          {ADMIN_COMMON.more}
        </button>
      )}
    </>
  );
}

function Certificate({ erasure, now }: { erasure: Erasure; now: number }) {
  const { id, at, by, reason, mark, blocked, removed, sites, doneAt } = erasure;
  const Icon = doneAt === null ? Hourglass : CircleCheck;
  const tables = Object.entries(removed);
  return (
    <li className="sheet p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-bold">{PRIVACY.certificate(id)}</h3>
        <span className={`inline-flex items-center gap-1.5 text-sm ${toneOf(erasure)} text-tone`}>
          <Icon className="size-4" />
          {stateOf(erasure)}
        </span>
      </div>
      <p className="mt-1 text-sm wrap-anywhere">{reason}</p>
      <p className="text-xs text-ink-3">
        {formatMoment(at, now)} {PRIVACY.by} <bdi>{by}</bdi> · {PRIVACY.mark}{" "}
        <code className="num">{mark}</code>
        {blocked && ` · ${PRIVACY.blocked}`}
      </p>
      <h4 className="mt-3 text-sm font-semibold">{PRIVACY.removed}</h4>
      <p className="text-sm text-ink-2">
        {tables.length === 0
          ? PRIVACY.nothing
          : tables.map(([table, count]) => PRIVACY.rows(table, count)).join(" · ")}
      </p>
      {sites.length > 0 && (
        <>
          <h4 className="mt-3 text-sm font-semibold">{PRIVACY.sites}</h4>
          <ul className="text-sm text-ink-2">
            {sites.map((site) => (
              <li key={site.id}>
                <bdi>{site.name}</bdi>: {siteState(site)}
              </li>
            ))}
          </ul>
        </>
      )}
    </li>
  );
}

function toneOf({ doneAt }: Erasure): string {
  return doneAt === null ? "tone-warn" : "tone-ok";
}

function stateOf({ databaseAt, scrubbedAt, sites, doneAt }: Erasure): string {
  if (doneAt !== null) return PRIVACY.complete;
  if (databaseAt === null) return PRIVACY.waitingRows;
  const waiting = sites.filter(({ answeredAt, revoked }) => answeredAt === null && !revoked).length;
  return scrubbedAt === null && waiting === 0 ? PRIVACY.waitingFile : PRIVACY.waitingSites(waiting);
}

function siteState({ answeredAt, removed, revoked }: Erasure["sites"][number]): string {
  if (answeredAt !== null) return PRIVACY.siteErased(removed);
  return revoked ? PRIVACY.siteRevoked : PRIVACY.siteWaiting;
}
