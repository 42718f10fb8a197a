import { Building2, Smartphone } from "lucide-react";
import { Link } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { DEVICES } from "../../text/admin_devices.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { SearchField } from "../../ui/search_field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { DeviceCard } from "./device_card.tsx";
import { SiteMark } from "./device_marks.tsx";
import { DeviceTable } from "./device_table.tsx";
import { DEVICE_SEGMENTS, type DeviceSegment, filterDevices } from "./filter_devices.ts";
import type { AdbDevice } from "./get_adb_status.ts";
import { groupBySite, type SiteGroup } from "./group_by_site.ts";

/** Up to this many phones are shown as cards; more as a table. */
const MOST_CARDS = 20;
const SEGMENTS = DEVICE_SEGMENTS.map((value) => ({ value, label: DEVICES.segments[value] }));

export interface DeviceFilter {
  segment: DeviceSegment;
  search: string;
}

interface DeviceListProps {
  devices: readonly AdbDevice[];
  now: number;
  filter: DeviceFilter;
  onFilter: (filter: DeviceFilter) => void;
}

/** Shows the fleet by sites, as cards or as a table, with a search and a segment filter. */
export function DeviceList({ devices, now, filter, onFilter }: DeviceListProps) {
  if (devices.length === 0) {
    return (
      <div className="mt-6">
        <EmptyBox
          icon={Smartphone}
          title={DEVICES.empty}
          body={DEVICES.emptyTeaching}
          action={<Link to={ADMIN_PATHS.sites} className="btn btn-primary btn-sm">{DEVICES.add}</Link>}
        />
      </div>
    );
  }
  const found = filterDevices(devices, filter.segment, filter.search);
  const groups = groupBySite(found);
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <SearchField
          label={DEVICES.search}
          className="w-full sm:w-80"
          value={filter.search}
          onChange={(search) => onFilter({ ...filter, search })}
        />
        <Segments
          label={ADMIN_COMMON.filter}
          options={SEGMENTS}
          chosen={filter.segment}
          onChoose={(segment) => onFilter({ ...filter, segment })}
        />
      </div>
      {found.length === 0 && (
        <p className="mt-6 text-sm text-ink-2" role="status">
          {filter.search.trim() ? ADMIN_COMMON.noMatch(filter.search.trim()) : DEVICES.noneOfKind}
        </p>
      )}
      {found.length > 0 && (devices.length > MOST_CARDS
        ? <DeviceTable groups={groups} now={now} />
        : groups.map((group) => <SiteSection key={group.siteId} group={group} now={now} />))}
    </>
  );
}

function SiteSection({ group, now }: { group: SiteGroup; now: number }) {
  const headingId = `site-${group.siteId}`;
  return (
    <section className="mt-6" aria-labelledby={headingId}>
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Building2 className="size-5 text-ink-2" />
        <h2 id={headingId} className="min-w-0 text-lg font-bold">
          <bdi>{group.site}</bdi>
        </h2>
        <SiteMark isConnected={group.isConnected} />
        <span className="text-sm text-ink-2">{DEVICES.siteFacts(group.devices.length, group.waiting)}</span>
      </div>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {group.devices.map((device) => <DeviceCard key={device.id} device={device} now={now} />)}
      </div>
    </section>
  );
}
