import { Building2, CircleCheck, Hourglass, type LucideIcon, Send, Square, Unplug } from "lucide-react";
import { Link } from "react-router-dom";
import type { Capacity, CapacityCampaign, CapacitySite } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { formatNumber } from "../../text/format.ts";
import { CapStrip } from "../../ui/cap_strip.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { Mark, type Tone } from "../../ui/mark.tsx";
import { Num } from "../../ui/num.tsx";
import { type RowPlace, VirtualTable } from "../../ui/virtual_table.tsx";
import { CAPACITY, verdict } from "./text.ts";

const SITE_LOOKS: Record<CapacitySite["state"], { tone: Tone; icon: LucideIcon }> = {
  working: { tone: "ok", icon: CircleCheck },
  away: { tone: "bad", icon: Unplug },
  stopped: { tone: "bad", icon: Square },
  draining: { tone: "warn", icon: Hourglass },
};

interface CapacityBoardProps {
  capacity: Capacity;
  /** Returns a campaign's end in words; null while nothing can go. */
  endOf: (campaign: CapacityCampaign) => string | null;
  /** Returns why a campaign waits, in words. */
  whyOf: (campaign: CapacityCampaign) => string | undefined;
}

/** Shows three figures, the sites with what is left of their day, and the running campaigns with their end. */
export function CapacityBoard(props: CapacityBoardProps) {
  const { capacity } = props;
  return (
    <>
      <Figures capacity={capacity} />
      <section className="mt-6" aria-labelledby="sites-h">
        <h2 id="sites-h" className="mb-3 text-lg font-bold">{CAPACITY.sites}</h2>
        {capacity.sites.length === 0
          ? (
            <EmptyBox
              icon={Building2}
              title={CAPACITY.noSites}
              body={CAPACITY.noSitesTeaching}
              action={
                <Link to={ADMIN_PATHS.sites} className="btn btn-secondary btn-sm">{CAPACITY.toSites}</Link>
              }
            />
          )
          : <Sites sites={capacity.sites} />}
      </section>
      <section className="mt-6" aria-labelledby="campaigns-h">
        <h2 id="campaigns-h" className="mb-3 text-lg font-bold">{CAPACITY.campaigns}</h2>
        {capacity.campaigns.length === 0
          ? <EmptyBox icon={Send} title={CAPACITY.noCampaigns} body={CAPACITY.noCampaignsTeaching} />
          : <Campaigns {...props} />}
      </section>
    </>
  );
}

function Figures({ capacity: { total, waiting, waitingPaused, sites } }: { capacity: Capacity }) {
  const away = sites.reduce((sum, { leftAway }) => sum + leftAway, 0);
  const { isEnough, text } = verdict(waiting, total.leftToday);
  return (
    <section className="sheet figs figs-3 max-sm:[--cols-narrow:1]" aria-label={CAPACITY.figures}>
      <div className="fig">
        <h2 className="eyebrow">{CAPACITY.leftToday}</h2>
        <Big value={total.leftToday} />
        <div className="mt-2 flex">
          <CapStrip
            used={total.usedToday}
            cap={total.usedToday + total.leftToday + away}
            label={CAPACITY.leftOf(total.leftToday, total.usedToday)}
          />
        </div>
        <p className="mt-1.5 text-sm text-ink-2">{CAPACITY.ofCap(total.usedToday, total.capPerDay)}</p>
      </div>
      <div className="fig">
        <h2 className="eyebrow">{CAPACITY.leftNow}</h2>
        <Big value={total.leftNow} />
        <p className="mt-2 text-sm text-ink-2">{CAPACITY.phonesReady(total.phonesReady, total.phones)}</p>
      </div>
      <div className="fig">
        <h2 className="eyebrow">{CAPACITY.waiting}</h2>
        <Big value={waiting} />
        <p className={`mt-2 text-sm ${isEnough ? "text-ink-2" : "tone-warn font-semibold text-tone"}`}>
          {text}
        </p>
        <p className="text-sm text-ink-3">{CAPACITY.paused(waitingPaused)}</p>
      </div>
    </section>
  );
}

function Big({ value }: { value: number }) {
  return (
    <p className="mt-1 text-4xl font-extrabold tracking-tight">
      <Num>{formatNumber(value)}</Num>
    </p>
  );
}

function Sites({ sites }: { sites: CapacitySite[] }) {
  const { name, state, phones, now, today, away } = CAPACITY.siteColumns;
  return (
    <div className="sheet overflow-hidden">
      <VirtualTable
        label={CAPACITY.sitesRegion}
        className="max-h-[50dvh]"
        rows={sites}
        keyOf={({ id }) => id}
        columns={6}
        head={
          <>
            <th>{name}</th>
            <th className="hidden md:table-cell">{state}</th>
            <th className="hidden md:table-cell">{phones}</th>
            <th className="hidden md:table-cell">{now}</th>
            <th>{today}</th>
            <th className="hidden md:table-cell">{away}</th>
          </>
        }
        renderRow={(site, place) => <SiteRow site={site} place={place} />}
      />
    </div>
  );
}

function SiteRow({ site, place }: { site: CapacitySite; place: RowPlace }) {
  const { leftNow, leftToday, leftAway, usedToday } = site;
  const mark = <Mark {...SITE_LOOKS[site.state]} label={CAPACITY.siteStates[site.state]} />;
  const phones = CAPACITY.phonesOf(site.phonesReady, site.phones);
  return (
    <tr {...place}>
      <td className="py-2 wrap-anywhere md:min-w-40">
        <bdi className="font-semibold">{site.name}</bdi>
        <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-2 md:hidden">
          {mark}
          <span>{CAPACITY.siteColumns.phones}: {phones}</span>
        </span>
      </td>
      <td className="hidden md:table-cell">{mark}</td>
      <td className="hidden whitespace-nowrap md:table-cell">{phones}</td>
      <td className="hidden md:table-cell">
        <Num>{formatNumber(leftNow)}</Num>
      </td>
      <td className="min-w-28 py-2">
        <span className="flex items-center gap-2">
          <b className="min-w-10">
            <Num>{formatNumber(leftToday)}</Num>
          </b>
          <CapStrip
            used={usedToday}
            cap={usedToday + leftToday + leftAway}
            label={CAPACITY.leftOf(leftToday, usedToday)}
          />
        </span>
        {leftAway > 0 && (
          <span className="mt-1 block text-xs text-ink-3 md:hidden">{CAPACITY.away(leftAway)}</span>
        )}
      </td>
      <td className="hidden text-ink-2 md:table-cell">
        <Num>{formatNumber(leftAway)}</Num>
      </td>
    </tr>
  );
}

function Campaigns({ capacity: { campaigns, campaignsRunning }, endOf, whyOf }: CapacityBoardProps) {
  const { name, waiting, pace, end } = CAPACITY.campaignColumns;
  return (
    <>
      <div className="sheet overflow-hidden">
        <VirtualTable
          label={CAPACITY.campaignsRegion}
          className="max-h-[60dvh]"
          rows={campaigns}
          keyOf={({ id }) => id}
          columns={4}
          head={
            <>
              <th>{name}</th>
              <th className="hidden md:table-cell">{waiting}</th>
              <th className="hidden md:table-cell">{pace}</th>
              <th>{end}</th>
            </>
          }
          renderRow={(campaign, place) => (
            <CampaignRow campaign={campaign} place={place} end={endOf(campaign)} why={whyOf(campaign)} />
          )}
        />
      </div>
      {campaignsRunning > campaigns.length && (
        <p className="mt-2 text-sm text-ink-2">{CAPACITY.cut(campaigns.length, campaignsRunning)}</p>
      )}
    </>
  );
}

interface CampaignRowProps {
  campaign: CapacityCampaign;
  place: RowPlace;
  end: string | null;
  why: string | undefined;
}

function CampaignRow({ campaign, place, end, why }: CampaignRowProps) {
  const { id, name, client, waiting, pace } = campaign;
  const count = <Num>{formatNumber(waiting)}</Num>;
  return (
    <tr {...place}>
      <td className="max-w-72 py-2 wrap-anywhere">
        <Link to={ADMIN_PATHS.campaign(id)} className="line-clamp-2 font-semibold hover:underline">
          <bdi>{name}</bdi>
        </Link>
        <span className="block text-xs text-ink-3">
          <bdi>{client.username}</bdi>{" "}
          <span className="md:hidden">· {CAPACITY.campaignColumns.waiting} {count}</span>
        </span>
      </td>
      <td className="hidden md:table-cell">{count}</td>
      <td className="hidden text-xs whitespace-nowrap text-ink-2 md:table-cell">
        {pace === null ? CAPACITY.noPace : CAPACITY.perMinute(pace)}
      </td>
      <td className="py-2">
        <b className="whitespace-nowrap">{end ?? CAPACITY.unknownEnd}</b>
        {why && <span className="tone-warn block max-w-96 text-xs text-tone">{why}</span>}
      </td>
    </tr>
  );
}
