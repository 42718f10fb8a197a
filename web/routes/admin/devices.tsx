import { useQuery } from "@tanstack/react-query";
import { Plug, Smartphone, Unplug } from "lucide-react";
import { useLocation, useNavigate } from "react-router-dom";
import { DeviceList } from "../../features/fleet/device_list.tsx";
import { type DeviceFilter, readFilter, writeFilter } from "../../features/fleet/filter_devices.ts";
import { adbStatusQuery } from "../../features/fleet/get_adb_status.ts";
import { DEVICES } from "../../text/admin_devices.ts";
import { ADMIN_COMMON, ADMIN_SHELL } from "../../text/admin_shell.ts";
import { formatAge, formatNumber } from "../../text/format.ts";
import { DownloadButton } from "../../ui/download_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import type { Tone } from "../../ui/mark.tsx";
import { Num } from "../../ui/num.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { RefreshButton } from "../../ui/refresh_button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";
import { AddDevice } from "./add_device.tsx";

const SECOND_MS = 1000;

/** All phones: connection, activity, and the age of that information. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(DEVICES.heading));
  const status = useQuery(adbStatusQuery);
  const now = useNow(SECOND_MS);
  const [filter, setFilter] = useFilterInUrl();
  return (
    <>
      <PageHead
        heading={DEVICES.heading}
        acts={
          <>
            <RefreshButton onRefresh={() => status.refetch()} />
            <DownloadButton
              path="/api/admin/devices.csv"
              fileName="devices.csv"
              className="btn-ghost border-base-300"
            >
              {ADMIN_COMMON.export}
            </DownloadButton>
            <AddDevice />
          </>
        }
      >
        {status.dataUpdatedAt > 0
          ? DEVICES.checked(formatAge(now - status.dataUpdatedAt))
          : DEVICES.notCheckedYet}
      </PageHead>
      {status.data && (
        <>
          <section className="sheet figs figs-3" aria-label={DEVICES.summary}>
            <Figure icon={Smartphone} tone="idle" label={DEVICES.total} value={status.data.summary.total} />
            <Figure icon={Plug} tone="ok" label={DEVICES.online} value={status.data.summary.online} />
            <Figure icon={Unplug} tone="bad" label={DEVICES.offline} value={status.data.summary.offline} />
          </section>
          <DeviceList
            devices={status.data.devices}
            now={now}
            filter={filter}
            onFilter={setFilter}
            add={<AddDevice className="btn btn-primary btn-sm" />}
          />
        </>
      )}
      {status.isPending && <Skeleton text={DEVICES.loading} rows={6} />}
      {status.isError && !status.data && (
        <FailedBox title={DEVICES.failed} error={status.error} onRetry={status.refetch} />
      )}
    </>
  );
}

interface FigureProps {
  icon: typeof Plug;
  tone: Tone;
  label: string;
  value: number;
}

function Figure({ icon: Icon, tone, label, value }: FigureProps) {
  return (
    <article className="fig flex flex-col items-start gap-1 sm:flex-row sm:items-center sm:gap-4">
      <span className="text-4xl font-extrabold tracking-tight">
        <Num>{formatNumber(value)}</Num>
      </span>
      <span className="leading-snug">
        <span className={`tone-${tone} text-tone`}>
          <Icon className="size-5" />
        </span>
        <h2 className="text-sm font-semibold">{label}</h2>
      </span>
    </article>
  );
}

/**
 * Keeps the filter in the URL, so that a link to "all at risk" can be saved and sent. The search text may be an
 * account's number, so it is kept in the history state only: it survives a step back and never appears in a URL.
 */
function useFilterInUrl(): [DeviceFilter, (filter: DeviceFilter) => void] {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const filter = readFilter(new URLSearchParams(search), state?.search ?? "");
  return [filter, (next) => {
    const query = writeFilter(next);
    const address = query === "" ? pathname : `${pathname}?${query}`;
    void navigate(address, { replace: true, state: { search: next.search } });
  }];
}
