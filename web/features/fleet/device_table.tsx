import { Building2 } from "lucide-react";
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

const COLUMNS = 9;

/**
 * Lists many phones, one row each under the row of their site; the page contains only the visible rows. On a
 * narrow screen the phone's condition moves under its name and state.
 */
export function DeviceTable({ groups, now }: { groups: readonly SiteGroup[]; now: number }) {
  const rows = groups.flatMap((group): (SiteGroup | AdbDevice)[] => [group, ...group.devices]);
  const { columns } = DEVICES;
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
            <th>{columns.device}</th>
            <th>{columns.state}</th>
            <th className="hidden md:table-cell">{columns.proof}</th>
            <th className="hidden lg:table-cell">{columns.accounts}</th>
            <th className="hidden md:table-cell">{columns.today}</th>
            <th className="hidden md:table-cell">{columns.risk}</th>
            <th className="hidden lg:table-cell">{columns.version}</th>
            <th className="hidden lg:table-cell">{columns.activity}</th>
            <th>
              <span className="sr-only">{columns.act}</span>
            </th>
          </>
        }
        renderRow={(row, place) =>
          "devices" in row
            ? <SiteRow group={row} place={place} />
            : <DeviceRow device={row} place={place} now={now} />}
      />
    </section>
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

function DeviceRow({ device, place, now }: { device: AdbDevice; place: RowPlace; now: number }) {
  const lastActivity = lastActivityOf(device);
  const { messagesToday, capPerDay } = device;
  const proof = proofText(device, now);
  const used = <Num>{`${formatNumber(messagesToday)} / ${formatNumber(capPerDay)}`}</Num>;
  return (
    <tr {...place}>
      <td className="py-2 md:min-w-44">
        <Link to={ADMIN_PATHS.device(device.id)} className="font-semibold hover:underline">
          <bdi>{device.name}</bdi>
        </Link>
        <span className="block text-xs text-ink-3">
          <Num>{device.address}</Num>
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
          {used}
        </span>
        <span className="block text-xs whitespace-nowrap text-ink-3">
          {DEVICES.leftToday(device.leftToday)}
        </span>
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
