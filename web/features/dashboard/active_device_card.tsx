import type { ReactNode } from "react";
import type { DeviceCard } from "shared/admin_api.ts";
import { DASHBOARD } from "./text.ts";
import { DEVICES } from "../../text/admin_devices.ts";
import { formatNumber } from "../../text/format.ts";
import { AccountMark } from "../../ui/account_mark.tsx";
import { StandingMark } from "../../ui/standing_mark.tsx";
import { CapStrip } from "../../ui/cap_strip.tsx";
import { Num } from "../../ui/num.tsx";

interface ActiveDeviceCardProps {
  device: DeviceCard;
  now: number;
  menu: ReactNode;
}

/** A connected phone on the dashboard: its activity and the used share of its daily cap. */
export function ActiveDeviceCard({ device, now, menu }: ActiveDeviceCardProps) {
  const { name, status, messagesCount, capPerDay, whatsappVersion, lastActivity } = device;
  return (
    <article className="sheet min-w-0 p-4">
      <div className="flex items-center gap-2">
        <h3 className="flex min-w-0 font-bold">
          <bdi className="wrap-anywhere">{name}</bdi>
        </h3>
        {device.standing === "ready"
          ? <AccountMark status={status} />
          : <StandingMark standing={device.standing} />}
        <span className="ms-auto -me-2">{menu}</span>
      </div>
      <div className="mt-2 flex items-baseline gap-1.5">
        <b className="text-xl font-extrabold">
          <Num>{formatNumber(messagesCount)}</Num>
        </b>
        <span className="text-sm text-ink-2">{DASHBOARD.ofCapToday(formatNumber(capPerDay))}</span>
      </div>
      <div className="mt-1.5 flex">
        <CapStrip used={messagesCount} cap={capPerDay} label={DEVICES.usedOfCap(messagesCount, capPerDay)} />
      </div>
      <p className="mt-1 text-xs text-ink-2">{DEVICES.leftToday(device.leftToday)}</p>
      <p className="mt-1.5 flex justify-between gap-2 text-xs text-ink-3">
        <Num>{whatsappVersion ?? "–"}</Num>
        <span>{DEVICES.lastSent(lastActivity, now)}</span>
      </p>
    </article>
  );
}
