import { ArrowDownUp } from "lucide-react";
import type { ReactNode } from "react";
import { siteCalled } from "shared/site_name.ts";
import { DEVICE_STATES, DEVICES } from "../../text/admin_devices.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { SearchField } from "../../ui/search_field.tsx";
import { Segments } from "../../ui/segments.tsx";
import {
  ACCOUNT_FILTERS,
  BATTERY_BOUNDS,
  DEVICE_SEGMENTS,
  DEVICE_SORTS,
  type DeviceFilter,
} from "./filter_devices.ts";

const SEGMENTS = DEVICE_SEGMENTS.map((value) => ({ value, label: DEVICES.segments[value] }));

interface DeviceFiltersProps {
  filter: DeviceFilter;
  sites: readonly { siteId: number; site: string }[];
  onFilter: (filter: DeviceFilter) => void;
}

/** Search, segments, filters and order of the devices. */
export function DeviceFilters({ filter, sites, onFilter }: DeviceFiltersProps) {
  return (
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
      <Choice
        label={DEVICES.site}
        value={filter.site}
        onChange={(site) => onFilter({ ...filter, site: site === "" ? null : Number(site) })}
      >
        <option value="">{DEVICES.allSites}</option>
        {sites.map(({ siteId, site }) => <option key={siteId} value={siteId}>{siteCalled(site)}</option>)}
      </Choice>
      <Choice
        label={DEVICES.state}
        value={filter.state}
        onChange={(state) => onFilter({ ...filter, state: (state || null) as DeviceFilter["state"] })}
      >
        <option value="">{DEVICES.allStates}</option>
        {([...DEVICE_STATES, "stopped"] as const).map((state) => (
          <option key={state} value={state}>{DEVICES.inState(state)}</option>
        ))}
        {ACCOUNT_FILTERS.map((standing) => (
          <option key={standing} value={standing}>{DEVICES.standing(standing)}</option>
        ))}
      </Choice>
      <Choice
        label={DEVICES.battery}
        value={filter.battery}
        onChange={(battery) => onFilter({ ...filter, battery: battery === "" ? null : Number(battery) })}
      >
        <option value="">{DEVICES.anyBattery}</option>
        {BATTERY_BOUNDS.map((bound) => <option key={bound} value={bound}>{DEVICES.batteryUpTo(bound)}
        </option>)}
      </Choice>
      <Choice
        label={DEVICES.sort}
        value={filter.sort}
        onChange={(sort) => onFilter({ ...filter, sort: sort as DeviceFilter["sort"], isReversed: false })}
      >
        {DEVICE_SORTS.map((sort) => <option key={sort} value={sort}>{DEVICES.sorts[sort]}</option>)}
      </Choice>
      <button
        type="button"
        className="btn btn-ghost btn-square"
        aria-label={DEVICES.reverse}
        title={DEVICES.reverse}
        aria-pressed={filter.isReversed}
        onClick={() => onFilter({ ...filter, isReversed: !filter.isReversed })}
      >
        <ArrowDownUp className="size-4" />
      </button>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | number | null;
  onChange: (value: string) => void;
  children: ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <select
      className="select w-auto max-sm:grow"
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {children}
    </select>
  );
}
