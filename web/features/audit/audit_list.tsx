import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { Link } from "react-router-dom";
import type { AuditRow } from "shared/audit.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { AUDIT } from "./text.ts";
import { formatMoment } from "../../text/format.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { moreRows } from "../../ui/more_rows.ts";
import { Num } from "../../ui/num.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VirtualList } from "../../ui/virtual_list.tsx";
import { ChainNotice } from "./chain_notice.tsx";
import { type AuditChoice, auditPagesQuery } from "./get_audit.ts";

const ROW_PX = 65;
const HASH_SHOWN = 8;

/** Shows the state of the chain, and the filtered rows. */
export function AuditList({ choice, now }: { choice: AuditChoice; now: number }) {
  const pages = useInfiniteQuery(auditPagesQuery(choice));
  const rows = pages.data?.pages.flatMap((page) => page.items);
  if (!rows) {
    return pages.isError
      ? <FailedBox title={AUDIT.failed} error={pages.error} onRetry={pages.refetch} />
      : <Skeleton text={AUDIT.loading} rows={6} />;
  }
  return (
    <>
      <ChainNotice chain={pages.data!.pages[0]!.chain} now={now} />
      {rows.length === 0
        ? <EmptyBox icon={ScrollText} title={AUDIT.empty} />
        : (
          <div className="sheet overflow-hidden">
            <VirtualList
              label={AUDIT.region}
              className="max-h-[70dvh]"
              items={rows}
              keyOf={({ id }) => id}
              itemPx={ROW_PX}
              renderItem={(row, place) => (
                <li {...place} className="px-5 py-3">
                  <Line row={row} now={now} />
                </li>
              )}
              {...moreRows(pages)}
            />
          </div>
        )}
    </>
  );
}

function Line({ row, now }: { row: AuditRow; now: number }) {
  const { id, at, text, actorName, campaignId, deviceId, hash } = row;
  const to = campaignId !== null
    ? ADMIN_PATHS.campaign(campaignId)
    : deviceId !== null
    ? ADMIN_PATHS.device(deviceId)
    : undefined;
  return (
    <>
      <p className="text-sm leading-snug wrap-anywhere">
        {to ? <Link to={to} className="hover:underline">{text}</Link> : text}
      </p>
      <p className="mt-0.5 text-xs text-ink-3">
        <bdi>{actorName ?? AUDIT.nobody}</bdi> · {formatMoment(at, now)} · <Num>{`#${id}`}</Num> ·{" "}
        {hash === null ? AUDIT.open : <code className="num">{hash.slice(0, HASH_SHOWN)}</code>}
      </p>
    </>
  );
}
