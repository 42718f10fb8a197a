import type { DeviceDetail } from "shared/admin_api.ts";
import { noticeIn } from "shared/standing.ts";
import type { ReactNode } from "react";
import { DEVICE, DEVICES } from "../../text/admin_devices.ts";
import { formatAge, formatDate } from "../../text/format.ts";
import { Num } from "../../ui/num.tsx";

/** Lists a phone's facts: serial, address, make, battery, site, and their age. */
export function DeviceFactsList({ device, now }: { device: DeviceDetail; now: number }) {
  const { proofAt, batteryPercent } = device;
  const { detail } = noticeIn(device.stateDetail);
  return (
    <section className="sheet p-5" aria-labelledby="facts-h">
      <h2 id="facts-h" className="mb-3 font-bold">{DEVICE.facts}</h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm">
        <Fact label={DEVICE.site}>
          <bdi>{device.site.name}</bdi>
        </Fact>
        <Fact label={DEVICE.address}>
          <bdi dir="ltr">{device.address}</bdi>
        </Fact>
        {device.addresses.length > 1 && (
          <Fact label={DEVICE.otherAddresses}>
            <bdi dir="ltr">{device.addresses.slice(1).join(", ")}</bdi>
          </Fact>
        )}
        {detail && (
          <Fact label={DEVICE.stateDetail}>
            <bdi dir="ltr">{detail}</bdi>
          </Fact>
        )}
        <Fact label={DEVICE.serial}>
          <bdi dir="ltr">{device.serial}</bdi>
        </Fact>
        <Fact label={DEVICE.model}>
          <bdi>{device.model || "–"}</bdi>
        </Fact>
        <Fact label={DEVICE.android}>
          <Num>{device.androidVersion || "–"}</Num>
        </Fact>
        <Fact label={DEVICE.battery}>
          <Num>{batteryPercent === null ? "–" : `${batteryPercent}%`}</Num>
        </Fact>
        <Fact label={DEVICE.proofAt}>{proofAt === null ? DEVICES.neverSeen : formatAge(now - proofAt)}</Fact>
        <Fact label={DEVICE.firstSeen}>
          <Num>{formatDate(device.firstSeenAt)}</Num>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}
