import { UserX } from "lucide-react";
import { Link } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { appName, DEVICE, DEVICES } from "../../text/admin_devices.ts";
import { formatNumber } from "../../text/format.ts";
import { AccountMark } from "../../ui/account_mark.tsx";
import { CapStrip } from "../../ui/cap_strip.tsx";
import { Num } from "../../ui/num.tsx";
import { RiskScore } from "../../ui/risk_score.tsx";
import { proofText, troubleOf } from "./device_facts.ts";
import { DeviceMarks } from "./device_marks.tsx";
import { DeviceMenu } from "./device_menu.tsx";
import type { AdbDevice } from "./get_adb_status.ts";
import { SelectBox } from "./select_box.tsx";
import type { Selection } from "./selection.ts";

interface DeviceCardProps {
  device: AdbDevice;
  now: number;
  selection: Selection;
  /** Whether the card names the site: in lists that are not grouped by it. */
  hasSite?: boolean;
}

/** One phone with its accounts; a disconnected phone has a sunken background. */
export function DeviceCard({ device, now, selection, hasSite = false }: DeviceCardProps) {
  const { id, name, address, batteryPercent, messagesToday, capPerDay } = device;
  const trouble = troubleOf(device);
  return (
    <article className={`sheet p-4 ${device.adbConnected ? "" : "bg-sunk"}`}>
      <div className="flex items-start justify-between gap-2">
        <SelectBox device={device} selection={selection} />
        <div className="min-w-0 grow">
          <h3 className="leading-tight font-bold wrap-anywhere">
            <Link to={ADMIN_PATHS.device(id)} className="hover:underline">
              <bdi>{name}</bdi>
            </Link>
          </h3>
          <p className="text-xs text-ink-3">
            <bdi dir="ltr">{address}</bdi>
            {hasSite && (
              <>
                {" · "}
                <bdi>{device.site}</bdi>
              </>
            )}
          </p>
        </div>
        <div className="-me-2 flex items-center">
          <DeviceMarks device={device} />
          <DeviceMenu device={device} />
        </div>
      </div>
      <p className="mt-2 text-xs text-ink-2">
        {batteryPercent !== null && (
          <>
            {DEVICES.battery} <Num>{`${batteryPercent}%`}</Num> ·{" "}
          </>
        )}
        {proofText(device, now)}
      </p>
      {trouble && (
        <p className="tone-warn mt-1 text-xs text-tone">
          <b className="font-semibold">{trouble.what}</b> {trouble.step}
        </p>
      )}
      <div className="mt-2.5 flex items-center gap-3">
        <CapStrip
          used={messagesToday}
          cap={capPerDay}
          label={DEVICES.usedOfCap(messagesToday, capPerDay)}
        />
        <span className="w-20 shrink-0 text-end text-xs">
          <Num>{`${formatNumber(messagesToday)} / ${formatNumber(capPerDay)}`}</Num>
        </span>
      </div>
      <p className="mt-1 text-xs text-ink-2">{DEVICES.leftToday(device.leftToday)}</p>
      <div className="mt-2 divide-y divide-base-300">
        {device.accounts.map((account) => <AccountLines key={account.id} account={account} now={now} />)}
        {device.accounts.length === 0 && (
          <p className="flex items-center gap-2 py-3 text-sm text-ink-2">
            <UserX className="size-4" />
            {DEVICES.noAccounts}
          </p>
        )}
      </div>
    </article>
  );
}

function AccountLines({ account, now }: { account: AdbDevice["accounts"][number]; now: number }) {
  return (
    <div className="py-2.5 last:pb-0">
      <div className="flex items-center justify-between gap-2">
        <span className="flex min-w-0 text-sm font-semibold">
          <bdi className="truncate">{account.label || appName(account.account)}</bdi>
        </span>
        <AccountMark status={account.status} />
      </div>
      {account.note && <p className="tone-warn mt-1 text-xs text-tone">{account.note}</p>}
      <div className="mt-1.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs text-ink-3">
        <span>{DEVICES.usedOfCap(account.messagesCount, account.capPerDay)}</span>
        <span className="inline-flex items-center gap-1.5">
          {DEVICES.risk} <RiskScore score={account.riskScore} />
        </span>
        {account.label && <bdi>{appName(account.account)}</bdi>}
        {!account.confirmed && <span>{DEVICE.notConfirmed}</span>}
        {account.whatsappVersion && <Num>{account.whatsappVersion}</Num>}
        <span>{DEVICES.lastSent(account.lastActivity, now)}</span>
      </div>
    </div>
  );
}
