import { Building2, Smartphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DEVICES } from "../../text/admin_devices.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { useMedia } from "../../ui/use_media.ts";
import { VirtualList } from "../../ui/virtual_list.tsx";
import { BulkBar } from "./bulk_bar.tsx";
import { DeviceCard } from "./device_card.tsx";
import { DeviceFilters } from "./device_filters.tsx";
import { SiteMark } from "./device_marks.tsx";
import { DeviceTable } from "./device_table.tsx";
import { type DeviceFilter, filterDevices } from "./filter_devices.ts";
import type { AdbDevice } from "./get_adb_status.ts";
import { groupBySite, type SiteGroup } from "./group_by_site.ts";
import type { Selection } from "./selection.ts";

/** Up to this many phones are shown as cards; more as a table, which a narrow screen shows as a list of cards. */
const MOST_CARDS = 20;
const NARROW = "(max-width: 767px)";
const CARD_PX = 220;

interface DeviceListProps {
  devices: readonly AdbDevice[];
  now: number;
  filter: DeviceFilter;
  onFilter: (filter: DeviceFilter) => void;
  /** The button that adds a device, for the empty list. */
  add: ReactNode;
}

/** Shows the fleet as cards or as a table, filtered and in order, with acts on the selected phones. */
export function DeviceList({ devices, now, filter, onFilter, add }: DeviceListProps) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const isNarrow = useMedia(NARROW);
  if (devices.length === 0) {
    return (
      <div className="mt-6">
        <EmptyBox icon={Smartphone} title={DEVICES.empty} body={DEVICES.emptyTeaching} action={add} />
      </div>
    );
  }
  const found = filterDevices(devices, filter);
  // Only what is shown can be acted on: a filter that hides a phone leaves it out.
  const chosen = found.filter(({ id }) => selected.has(id));
  const selection: Selection = {
    has: (id) => selected.has(id),
    set(ids, isOn) {
      const next = new Set(selected);
      for (const id of ids) isOn ? next.add(id) : next.delete(id);
      setSelected(next);
    },
  };
  return (
    <>
      <DeviceFilters filter={filter} sites={groupBySite(devices)} onFilter={onFilter} />
      {found.length === 0 && <NoneFound filter={filter} onFilter={onFilter} />}
      {found.length > 0 && (
        <>
          <label className="mt-4 flex w-fit items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="checkbox checkbox-sm"
              checked={chosen.length === found.length}
              onChange={(event) => selection.set(found.map(({ id }) => id), event.currentTarget.checked)}
            />
            {DEVICES.selectAll}
          </label>
          {body()}
        </>
      )}
      <BulkBar devices={chosen} onSelect={(ids) => setSelected(new Set(ids))} />
    </>
  );

  function body() {
    const isMany = devices.length > MOST_CARDS;
    if (isMany && isNarrow) {
      return (
        <VirtualList
          label={DEVICES.region}
          className="mt-4 max-h-[70dvh]"
          items={found}
          keyOf={({ id }) => id}
          itemPx={CARD_PX}
          renderItem={(device, place) => (
            <li {...place} className="py-1.5">
              <DeviceCard device={device} now={now} selection={selection} hasSite />
            </li>
          )}
        />
      );
    }
    if (isMany) {
      const groups = filter.sort === "site" ? groupBySite(found) : null;
      return (
        <DeviceTable
          groups={groups}
          devices={found}
          now={now}
          filter={filter}
          onFilter={onFilter}
          selection={selection}
        />
      );
    }
    if (filter.sort !== "site") {
      return (
        <div className="mt-4 grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {found.map((device) => (
            <DeviceCard key={device.id} device={device} now={now} selection={selection} hasSite />
          ))}
        </div>
      );
    }
    return groupBySite(found).map((group) => (
      <SiteSection key={group.siteId} group={group} now={now} selection={selection} />
    ));
  }
}

function NoneFound({ filter, onFilter }: Pick<DeviceListProps, "filter" | "onFilter">) {
  const { search, site, state, battery } = filter;
  const isNarrowed = site !== null || state !== null || battery !== null;
  const noMatch = isNarrowed ? DEVICES.noneFiltered : DEVICES.noneOfKind;
  return (
    <div className="mt-6 flex flex-wrap items-center gap-3 text-sm text-ink-2">
      <p role="status">{search.trim() ? ADMIN_COMMON.noMatch(search.trim()) : noMatch}</p>
      {isNarrowed && (
        <button
          type="button"
          className="btn btn-ghost btn-sm border-base-300"
          onClick={() =>
            onFilter({ ...filter, segment: "all", site: null, state: null, battery: null, search: "" })}
        >
          {DEVICES.clearFilter}
        </button>
      )}
    </div>
  );
}

function SiteSection({ group, now, selection }: { group: SiteGroup; now: number; selection: Selection }) {
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
        {group.devices.map((device) => (
          <DeviceCard key={device.id} device={device} now={now} selection={selection} />
        ))}
      </div>
    </section>
  );
}
