import { useQuery } from "@tanstack/react-query";
import { ArrowRight, MonitorOff, MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import type { AdbStatus } from "shared/http_api.ts";
import type { Looks } from "shared/looks_api.ts";
import { EXCEPTION_REASON_CHARS } from "shared/reason.ts";
import { MAX_LOOK_DEVICES } from "shared/still.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { adbStatusQuery } from "../../features/fleet/get_adb_status.ts";
import { useBeginLooks } from "../../features/looks/begin_looks.ts";
import { CloseLook } from "../../features/looks/close_look.tsx";
import { StillScreen } from "../../features/looks/still_screen.tsx";
import { LOOK_REASON, LOOKS, SITE_SCREENS } from "../../features/looks/text.ts";
import { useIsOver } from "../../features/looks/use_is_over.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { ReasonDialog } from "../../ui/reason_dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

type Device = AdbStatus["devices"][number];

/** The screens of one site's phones beside one another, view only. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(SITE_SCREENS.heading));
  const siteId = Number(useParams().id);
  const status = useQuery(adbStatusQuery);
  const devices = status.data?.devices.filter((device) => device.siteId === siteId);
  return (
    <>
      <Link to={ADMIN_PATHS.sites} className="btn btn-ghost btn-sm -ms-3 mb-3">
        <ArrowRight className="size-4" />
        {SITE_SCREENS.back}
      </Link>
      <PageHead heading={SITE_SCREENS.heading}>
        {devices?.[0] && SITE_SCREENS.of(devices[0].site, devices.length)}
      </PageHead>
      {devices && devices.length > 0 && <Groups devices={devices} />}
      {devices?.length === 0 && (
        <EmptyBox icon={MonitorOff} title={SITE_SCREENS.empty} body={SITE_SCREENS.emptyHint} />
      )}
      {status.isPending && <Skeleton text={SITE_SCREENS.loading} rows={4} />}
      {status.isError && !status.data && (
        <FailedBox title={SITE_SCREENS.failed} error={status.error} onRetry={status.refetch} />
      )}
    </>
  );
}

/** A site may have more phones than one look covers. Their order must not change while one looks. */
function Groups({ devices }: { devices: readonly Device[] }) {
  const sorted = [...devices].sort((a, b) => a.name.localeCompare(b.name, "he") || a.id - b.id);
  const [group, setGroup] = useState(0);
  const groups = Math.ceil(sorted.length / MAX_LOOK_DEVICES);
  const shown = sorted.slice(group * MAX_LOOK_DEVICES, (group + 1) * MAX_LOOK_DEVICES);
  return (
    <>
      {groups > 1 && (
        <label className="mb-4 block w-fit text-sm">
          <span className="mb-1 block">{SITE_SCREENS.group}</span>
          <select
            className="select"
            value={group}
            onChange={(event) => setGroup(Number(event.currentTarget.value))}
          >
            {Array.from({ length: groups }, (_, index) => (
              <option key={index} value={index}>
                {SITE_SCREENS.groupOf(
                  index * MAX_LOOK_DEVICES + 1,
                  Math.min((index + 1) * MAX_LOOK_DEVICES, sorted.length),
                )}
              </option>
            ))}
          </select>
        </label>
      )}
      <Group key={group} devices={shown} />
    </>
  );
}

function Group({ devices }: { devices: readonly Device[] }) {
  const [isAsking, setAsking] = useState(false);
  const [looks, setLooks] = useState<Looks>();
  const ids = devices.map(({ id }) => id);
  const begin = useBeginLooks(ids, {
    onBegun: setLooks,
    onDone: () => setAsking(false),
  });
  if (looks) return <Wall looks={looks} devices={devices} onClose={() => setLooks(undefined)} />;
  return (
    <section className="sheet p-5">
      <p className="text-sm text-ink-2">{SITE_SCREENS.teaching}</p>
      <button type="button" className="btn btn-primary mt-4" onClick={() => setAsking(true)}>
        <MonitorSmartphone className="size-4" />
        {LOOKS.openMany(devices.length)}
      </button>
      {isAsking && (
        <ReasonDialog
          words={LOOK_REASON}
          {...EXCEPTION_REASON_CHARS}
          busy={begin.isPending}
          onConfirm={(reason) => begin.mutate(reason)}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

function Wall(
  { looks: { looks, until }, devices, onClose }: {
    looks: Looks;
    devices: readonly Device[];
    onClose: () => void;
  },
) {
  const isOver = useIsOver(until);
  const nameOf = (id: number) => devices.find((device) => device.id === id)?.name ?? "";
  return (
    <section aria-label={SITE_SCREENS.region}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="min-w-0 text-sm text-ink-2">{isOver ? LOOKS.over : LOOKS.until(until)}</p>
        <CloseLook onClose={onClose} />
      </div>
      <ul className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6">
        {looks.map(({ id, device }) => (
          <li key={id} className="min-w-0">
            <h2 className="mb-1 flex text-sm font-semibold">
              <Link to={ADMIN_PATHS.device(device)} className="flex min-w-0 hover:underline">
                <bdi className="truncate">{nameOf(device)}</bdi>
              </Link>
            </h2>
            <StillScreen look={id} until={until} device={nameOf(device)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
