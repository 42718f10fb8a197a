import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Unplug } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import type { DeviceDetail } from "shared/admin_api.ts";
import { DELIVERY_REASON_TEXT, DELIVERY_STATE_LABELS } from "shared/delivery_words.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { DELIVERY_LOOKS } from "../../features/deliveries/delivery_mark.tsx";
import { DeviceAccount } from "../../features/fleet/device_account.tsx";
import { DeviceActs } from "../../features/fleet/device_acts.tsx";
import { DeviceCommands } from "../../features/fleet/device_commands.tsx";
import { proofText, troubleOf } from "../../features/fleet/device_facts.ts";
import { DeviceFactsList } from "../../features/fleet/device_facts_list.tsx";
import { DeviceMarks } from "../../features/fleet/device_marks.tsx";
import { deviceQuery, isMissing } from "../../features/fleet/get_device.ts";
import { LeftDraftNotice } from "../../features/fleet/left_draft_notice.tsx";
import { RehearsalNotice } from "../../features/fleet/rehearsal_notice.tsx";
import { StopNotice } from "../../features/fleet/stop_notice.tsx";
import { DEVICE, DEVICES } from "../../text/admin_devices.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { formatNumber, formatSpan } from "../../text/format.ts";
import { CapStrip } from "../../ui/cap_strip.tsx";
import { ExactTime } from "../../ui/exact_time.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Num } from "../../ui/num.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { Phone } from "../../ui/phone.tsx";
import { RiskScore } from "../../ui/risk_score.tsx";
import { DeviceScreen } from "./device_screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";

const SECOND_MS = 1000;

/** One phone: facts, activity, problems, and commands given to it. */
export function Screen() {
  const id = Number(useParams().id);
  return (
    <>
      <Link to={ADMIN_PATHS.devices} className="btn btn-ghost btn-sm -ms-3 mb-3">
        <ArrowRight className="size-4" />
        {DEVICE.back}
      </Link>
      {Number.isSafeInteger(id) ? <LoadedById key={id} id={id} /> : <Missing />}
    </>
  );
}

function LoadedById({ id }: { id: number }) {
  const device = useQuery(deviceQuery(id));
  if (isMissing(device.error)) return <Missing />;
  if (device.data) return <Loaded device={device.data} />;
  if (!device.isError) return <Skeleton text={DEVICE.loading} rows={6} />;
  return <FailedBox title={DEVICE.failed} error={device.error} onRetry={device.refetch} />;
}

function Missing() {
  usePageTitle(DEVICE.missing);
  return <PageHead heading={DEVICE.missing}>{DEVICE.missingHint}</PageHead>;
}

function Loaded({ device }: { device: DeviceDetail }) {
  usePageTitle(ADMIN_SHELL.title(device.name));
  const now = useNow(SECOND_MS);
  const { site, usedToday, capPerDay } = device;
  const trouble = troubleOf({ ...device, siteConnected: site.connected });
  return (
    <>
      <PageHead
        heading={device.name}
        mark={<DeviceMarks device={device} />}
        acts={<DeviceActs device={device} />}
      >
        {proofText(device, now)}
      </PageHead>
      <StopNotice device={device} />
      <RehearsalNotice device={device} />
      <LeftDraftNotice stateDetail={device.stateDetail} />
      {!site.connected && (
        <Notice
          tone="warn"
          icon={Unplug}
          lead={DEVICE.siteAway(
            site.name,
            site.lastSeenAt === null ? undefined : formatSpan(now - site.lastSeenAt),
          )}
          body={DEVICE.siteAwayMeaning}
          className="mb-4"
        />
      )}
      {trouble && (
        <Notice
          tone="warn"
          icon={Unplug}
          lead={device.stateSince === null
            ? trouble.what
            : `${trouble.what} ${DEVICE.inState(formatSpan(now - device.stateSince))}`}
          body={trouble.step}
          className="mb-4"
        />
      )}
      <section className="sheet figs figs-3" aria-label={DEVICES.summary}>
        <div className="fig">
          <h2 className="eyebrow">{DEVICE.today}</h2>
          <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
            <span className="text-4xl font-extrabold tracking-tight">
              <Num>{formatNumber(usedToday)}</Num>
            </span>
            <span className="text-sm text-ink-2">{DEVICE.ofCap(formatNumber(capPerDay))}</span>
          </p>
          <div className="mt-2">
            <CapStrip used={usedToday} cap={capPerDay} label={DEVICES.usedOfCap(usedToday, capPerDay)} />
          </div>
          <p className="mt-1 text-sm text-ink-2">{DEVICES.leftToday(device.leftToday)}</p>
        </div>
        <div className="fig">
          <h2 className="eyebrow">{DEVICE.held}</h2>
          <p className="mt-1 text-4xl font-extrabold tracking-tight">
            <Num>{formatNumber(device.held)}</Num>
          </p>
        </div>
        <div className="fig">
          <h2 className="eyebrow">{DEVICE.riskNow}</h2>
          <p className="mt-2 text-2xl">
            <RiskScore score={device.riskScore} />
          </p>
        </div>
      </section>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <section className="sheet overflow-hidden" aria-labelledby="accounts-h">
            <h2 id="accounts-h" className="px-5 pt-4 font-bold">{DEVICE.accounts}</h2>
            <ul className="divide-y divide-base-300">
              {device.accounts.map((account) => (
                <DeviceAccount
                  key={account.id}
                  account={account}
                  now={now}
                />
              ))}
            </ul>
            {device.accounts.length === 0 && (
              <p className="px-5 pt-2 pb-5 text-sm text-ink-2">{DEVICES.noAccounts}</p>
            )}
          </section>
          <Deliveries deliveries={device.deliveries} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <DeviceScreen device={device} />
          <DeviceFactsList device={device} now={now} />
          <DeviceCommands commands={device.commands} now={now} />
        </div>
      </div>
    </>
  );
}

function Deliveries({ deliveries }: { deliveries: DeviceDetail["deliveries"] }) {
  const { phone, state, campaign, time, reason } = DEVICE.deliveryColumns;
  return (
    <section className="sheet overflow-hidden" aria-labelledby="device-deliveries-h">
      <h2 id="device-deliveries-h" className="px-5 py-4 font-bold">{DEVICE.deliveries}</h2>
      {deliveries.length === 0 ? <p className="px-5 pb-5 text-sm text-ink-2">{DEVICE.noDeliveries}</p> : (
        <div
          className="relative max-h-[32rem] overflow-auto"
          tabIndex={0}
          role="region"
          aria-label={DEVICE.deliveryRegion}
        >
          <table className="grid-table">
            <thead className="sticky top-0 z-10">
              <tr>
                <th>{phone}</th>
                <th>{state}</th>
                <th className="hidden md:table-cell">{campaign}</th>
                <th>{time}</th>
                <th className="hidden md:table-cell">{reason}</th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />)}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** On a narrow screen campaign and reason move under the phone number. */
function DeliveryRow({ delivery }: { delivery: DeviceDetail["deliveries"][number] }) {
  const { phone, state, campaignId, campaignName, at, reason } = delivery;
  const why = reason && state !== "sent" && DELIVERY_REASON_TEXT[reason];
  const campaign = (
    <Link to={ADMIN_PATHS.campaign(campaignId)} className="hover:underline">
      <bdi>{campaignName}</bdi>
    </Link>
  );
  return (
    <tr>
      <td>
        <Phone e164={phone} />
        <span className="block text-xs text-ink-3 wrap-anywhere md:hidden">
          {campaign}
          {why && ` · ${why}`}
        </span>
      </td>
      <td>
        <Mark {...DELIVERY_LOOKS[state]} label={DELIVERY_STATE_LABELS[state]} />
      </td>
      <td className="hidden max-w-56 min-w-40 wrap-anywhere md:table-cell">{campaign}</td>
      <td>
        <ExactTime at={at} />
      </td>
      <td className="hidden text-ink-2 md:table-cell">{why}</td>
    </tr>
  );
}
