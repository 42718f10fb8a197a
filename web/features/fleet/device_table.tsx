import { ArrowDown, ArrowUp, Building2 } from "lucide-react";
import { Link } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { DEVICES } from "../../text/admin_devices.ts";
import { formatAge, formatNumber } from "../../text/format.ts";
import { AccountMark } from "../../ui/account_mark.tsx";
import { CapStrip } from "../../ui/cap_strip.tsx";
import { Num } from "../../ui/num.tsx";
import { RiskScore } from "../../ui/risk_score.tsx";
import { type RowPlace, VirtualTable } from "../../ui/virtual_table.tsx";
import { lastActivityOf, proofText, riskOf, troubleOf } from "./device_facts.ts";
import { DeviceMarks, SiteMark } from "./device_marks.tsx";
import { DeviceMenu } from "./device_menu.tsx";
import type { AdbDevice } from "./get_adb_status.ts";
import type { SiteGroup } from "./group_by_site.ts";
import type { DeviceFilter, DeviceSort } from "./filter_devices.ts";
import { SelectBox } from "./select_box.tsx";
import type { Selection } from "./selection.ts";

const COLUMNS = 11;

/**
 * Lists many phones, one row each under the row of their site; the page contains only the visible rows. On a
 * narrow screen the phone's condition moves under its name and state.
 */
export function DeviceTable({ groups, devices, now, filter, onFilter, selection }: DeviceTableProps) {
  const rows = groups === null
    ? devices
    : groups.flatMap((group): (SiteGroup | AdbDevice)[] => [group, ...group.devices]);
  const { columns } = DEVICES;
  const head = (sort: DeviceSort, label: string, className?: string) => (
    <SortHead sort={sort} label={label} className={className} filter={filter} onFilter={onFilter} />
  );
  return (
    <section className="sheet mt-6 overflow-hidden">
      <VirtualTable
        label={DEVICES.region}
        className="max-h-[70dvh]"
        rows={rows}
        keyOf={(row) => "devices" in row ? `site ${row.siteId}` : row.id}
        columns={COLUMNS}
        head={
          <>
            <th>
              <span className="sr-only">{columns.select}</span>
            </th>
            {head("name", columns.device)}
            {head("state", columns.state)}
            {head("proof", columns.proof, "hidden md:table-cell")}
            <th className="hidden lg:table-cell">{columns.accounts}</th>
            {head("today", columns.today, "hidden md:table-cell")}
            {head("battery", columns.battery, "hidden lg:table-cell")}
            {head("risk", columns.risk, "hidden md:table-cell")}
            <th className="hidden lg:table-cell">{columns.version}</th>
            {head("activity", columns.activity, "hidden lg:table-cell")}
            <th>
              <span className="sr-only">{columns.act}</span>
            </th>
          </>
        }
        renderRow={(row, place) =>
          "devices" in row ? <SiteRow group={row} place={place} /> : (
            <DeviceRow
              device={row}
              place={place}
              now={now}
              selection={selection}
              hasSite={groups === null}
            />
          )}
      />
    </section>
  );
}

interface DeviceTableProps {
  /** null = one list, in the order of `devices`. */
  groups: readonly SiteGroup[] | null;
  devices: readonly AdbDevice[];
  now: number;
  filter: DeviceFilter;
  onFilter: (filter: DeviceFilter) => void;
  selection: Selection;
}

interface SortHeadProps extends Pick<DeviceTableProps, "filter" | "onFilter"> {
  sort: DeviceSort;
  label: string;
  className?: string | undefined;
}

/** A head that sorts: first in the column's usual direction, then in the other, then by site again. */
function SortHead({ sort, label, className, filter, onFilter }: SortHeadProps) {
  const isOn = filter.sort === sort;
  const Arrow = filter.isReversed ? ArrowUp : ArrowDown;
  const next = !isOn
    ? { sort, isReversed: false }
    : filter.isReversed
    ? { sort: "site" as const, isReversed: false }
    : { sort, isReversed: true };
  return (
    <th
      className={className}
      aria-sort={isOn ? (filter.isReversed ? "descending" : "ascending") : undefined}
    >
      <button
        type="button"
        className="inline-flex cursor-pointer items-center gap-1 hover:underline"
        onClick={() => onFilter({ ...filter, ...next })}
      >
        {label}
        {isOn && <Arrow className="size-3.5" />}
      </button>
    </th>
  );
}

function SiteRow({ group, place }: { group: SiteGroup; place: RowPlace }) {
  return (
    <tr {...place} className="bg-sunk">
      <th scope="colgroup" colSpan={COLUMNS}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1">
          <Building2 className="size-4" />
          <bdi className="text-sm text-base-content">{group.site}</bdi>
          <SiteMark isConnected={group.isConnected} />
          <span className="font-normal">{DEVICES.siteFacts(group.devices.length, group.waiting)}</span>
        </span>
      </th>
    </tr>
  );
}

interface DeviceRowProps {
  device: AdbDevice;
  place: RowPlace;
  now: number;
  selection: Selection;
  hasSite: boolean;
}

function DeviceRow({ device, place, now, selection, hasSite }: DeviceRowProps) {
  const lastActivity = lastActivityOf(device);
  const { messagesToday, capPerDay } = device;
  const proof = proofText(device, now);
  const used = <Num>{`${formatNumber(messagesToday)} / ${formatNumber(capPerDay)}`}</Num>;
  return (
    <tr {...place}>
      <td className="w-10">
        <SelectBox device={device} selection={selection} />
      </td>
      <td className="py-2 md:min-w-44">
        <Link to={ADMIN_PATHS.device(device.id)} className="font-semibold hover:underline">
          <bdi>{device.name}</bdi>
        </Link>
        <span className="block text-xs text-ink-3">
          <Num>{device.address}</Num>
          {hasSite && (
            <>
              {" · "}
              <bdi>{device.site}</bdi>
            </>
          )}
        </span>
        <span className="block text-xs text-ink-3 md:hidden">{proof}</span>
        <span className="tone-warn block max-w-72 text-xs text-tone md:hidden">
          {troubleOf(device)?.what}
        </span>
      </td>
      <td>
        <span className="inline-flex">
          <DeviceMarks device={device} />
        </span>
        <span className="tone-warn hidden text-xs text-tone md:block">{troubleOf(device)?.what}</span>
        <span className="mt-1 flex flex-wrap items-center gap-x-3 text-xs text-ink-2 md:hidden">
          {used}
          <span>{DEVICES.leftToday(device.leftToday)}</span>
          <RiskScore score={riskOf(device)} />
        </span>
      </td>
      <td className="hidden text-xs whitespace-nowrap text-ink-2 md:table-cell">{proof}</td>
      <td className="hidden lg:table-cell">
        {device.accounts.length === 0
          ? <span className="text-xs text-ink-3">–</span>
          : (
            <span className="flex flex-wrap gap-1">
              {device.accounts.map(({ id, status }) => <AccountMark key={id} status={status} />)}
            </span>
          )}
      </td>
      <td className="hidden min-w-36 md:table-cell">
        <span className="flex items-center gap-2 text-xs">
          <CapStrip
            used={messagesToday}
            cap={capPerDay}
            label={DEVICES.usedOfCap(messagesToday, capPerDay)}
          />
          <span className="w-20 shrink-0 text-end">{used}</span>
        </span>
        <span className="block text-xs whitespace-nowrap text-ink-3">
          {DEVICES.leftToday(device.leftToday)}
        </span>
      </td>
      <td className="hidden text-xs text-ink-2 lg:table-cell">
        <Num>{device.batteryPercent === null ? "–" : `${device.batteryPercent}%`}</Num>
      </td>
      <td className="hidden md:table-cell">
        <RiskScore score={riskOf(device)} />
      </td>
      <td className="hidden text-xs text-ink-2 lg:table-cell">
        <Num>{device.accounts[0]?.whatsappVersion ?? "–"}</Num>
      </td>
      <td className="hidden text-xs whitespace-nowrap text-ink-2 lg:table-cell">
        {lastActivity === null ? DEVICES.neverActive : formatAge(now - lastActivity)}
      </td>
      <td>
        <DeviceMenu device={device} />
      </td>
    </tr>
  );
}
