import {
  Building2,
  CircleArrowUp,
  CircleDashed,
  ClipboardCheck,
  EllipsisVertical,
  Hourglass,
  KeyRound,
  MonitorSmartphone,
  Pause,
  Play,
  Plug,
  Square,
  Unplug,
  X,
} from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import type { Site } from "shared/admin_api.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { SITES } from "../../text/admin_sites.ts";
import { formatAge, formatNumber } from "../../text/format.ts";
import { Mark, type MarkLook } from "../../ui/mark.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { Num } from "../../ui/num.tsx";
import { type RowPlace, VirtualTable } from "../../ui/virtual_table.tsx";
import type { SiteAct } from "./act_on_site.ts";
import { type ShownToken, useNewToken } from "./join_site.ts";
import { SiteActDialog } from "./site_act_dialog.tsx";

const LOOKS: Record<Site["status"], Omit<MarkLook, "label">> = {
  connected: { tone: "ok", icon: Plug },
  away: { tone: "bad", icon: Unplug },
  not_enrolled: { tone: "idle", icon: CircleDashed },
  revoked: { tone: "idle", icon: X },
};

interface SiteTableProps {
  sites: readonly Site[];
  now: number;
  onToken: (token: ShownToken) => void;
}

/** Lists all sites: connection, version, phones, and waiting deliveries. */
export function SiteTable({ sites, now, onToken }: SiteTableProps) {
  const [asked, setAsked] = useState<{ siteId: number; act: SiteAct }>();
  const subject = sites.find(({ id }) => id === asked?.siteId);
  const { columns } = SITES;
  return (
    <section className="sheet min-w-0 overflow-hidden">
      <VirtualTable
        label={SITES.region}
        rows={sites}
        keyOf={({ id }) => id}
        columns={7}
        head={
          <>
            <th>{columns.name}</th>
            <th>{columns.state}</th>
            <th className="hidden md:table-cell">{columns.devices}</th>
            <th className="hidden md:table-cell">{columns.held}</th>
            <th className="hidden md:table-cell">{columns.seen}</th>
            <th className="hidden md:table-cell">{columns.version}</th>
            <th>
              <span className="sr-only">{columns.acts}</span>
            </th>
          </>
        }
        renderRow={(site, place) => (
          <SiteRow
            site={site}
            place={place}
            now={now}
            onToken={onToken}
            onAct={(act) => setAsked({ siteId: site.id, act })}
          />
        )}
      />
      {asked && subject && (
        <SiteActDialog
          site={subject}
          act={asked.act}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}

interface SiteRowProps {
  site: Site;
  place: RowPlace;
  now: number;
  onToken: (token: ShownToken) => void;
  onAct: (act: SiteAct) => void;
}

function SiteRow({ site, place, now, onToken, onAct }: SiteRowProps) {
  const newToken = useNewToken(onToken);
  const navigate = useNavigate();
  const devices = SITES.devicesOf(site.connectedDevices, site.devices);
  const seen = site.lastSeenAt === null ? SITES.never : formatAge(now - site.lastSeenAt);
  const why = whyOf(site);
  return (
    <tr {...place}>
      <td className="py-2 wrap-anywhere md:min-w-40">
        <span className="flex items-center gap-2 font-semibold">
          <Building2 className="size-4 text-ink-3" />
          <bdi className="min-w-0">{site.name}</bdi>
        </span>
        <span className="block text-xs text-ink-3 md:hidden">{devices} · {seen}</span>
        {why && <span className="tone-warn mt-1 block max-w-72 text-xs text-tone">{why}</span>}
      </td>
      <td>
        <span className="flex flex-wrap gap-1">
          <Mark {...LOOKS[site.status]} label={SITES.states[site.status]} />
          {site.stopped && <Mark tone="bad" icon={Square} label={SITES.stopped} />}
          {site.unconfirmedRest && <Mark tone="warn" icon={Pause} label={SITES.unconfirmedRest} />}
          {site.owesOutcomes && <Mark tone="warn" icon={Hourglass} label={SITES.owes} />}
          {site.needsUpdate && <Mark tone="warn" icon={CircleArrowUp} label={SITES.needsUpdate} />}
          {isWithoutItemTexts(site) && <Mark tone="warn" icon={CircleArrowUp} label={SITES.noItemTexts} />}
          {site.asksRehearsal && <Mark tone="idle" icon={ClipboardCheck} label={SITES.asksRehearsal} />}
          {site.draining && <Mark tone="warn" icon={Hourglass} label={SITES.draining} />}
        </span>
      </td>
      <td className="hidden whitespace-nowrap md:table-cell">{devices}</td>
      <td className="hidden md:table-cell">
        <Num>{formatNumber(site.held)}</Num>
      </td>
      <td className="hidden whitespace-nowrap text-ink-2 md:table-cell">{seen}</td>
      <td className="hidden text-ink-2 md:table-cell">
        <Num>{site.agentVersion ?? "–"}</Num>
      </td>
      <td>
        {site.status !== "revoked" && (
          <Menu
            label={ADMIN_COMMON.actions(site.name)}
            items={itemsFor(
              site,
              onAct,
              () => newToken.mutate(site),
              () => navigate(ADMIN_PATHS.siteScreens(site.id)),
            )}
          >
            <EllipsisVertical className="size-[1.125rem]" />
          </Menu>
        )}
      </td>
    </tr>
  );
}

/** Returns whether the site works and its agent is too old for personal messages. */
function isWithoutItemTexts({ takesItemTexts, agentVersion, needsUpdate, status }: Site): boolean {
  return !takesItemTexts && agentVersion !== null && !needsUpdate && status !== "revoked";
}

/** Returns the site's most serious problem. */
function whyOf(site: Site): string | undefined {
  const { stopped, stopReason, unconfirmedRest, owesOutcomes, needsUpdate, owingDevices } = site;
  if (stopped) return SITES.stoppedWhy[stopReason ?? "journal_doubted"];
  if (owesOutcomes) return SITES.owesWhy;
  if (unconfirmedRest) return SITES.unconfirmedRestWhy;
  if (needsUpdate) return SITES.needsUpdateWhy;
  if (isWithoutItemTexts(site)) return SITES.noItemTextsWhy;
  return owingDevices > 0 ? SITES.owingWhy(owingDevices) : undefined;
}

function itemsFor(
  site: Site,
  onAct: (act: SiteAct) => void,
  onNewToken: () => void,
  onScreens: () => void,
): MenuItem[] {
  const items: MenuItem[] = [];
  if (site.status === "connected" && site.devices > 0) {
    items.push({
      label: SITES.screens,
      icon: <MonitorSmartphone className="size-4" />,
      onChoose: onScreens,
    });
  }
  if (site.status === "not_enrolled") {
    items.push({ label: SITES.token, icon: <KeyRound className="size-4" />, onChoose: onNewToken });
  }
  if (site.stopped || site.unconfirmedRest) {
    items.push({ label: SITES.start, icon: <Play className="size-4" />, onChoose: () => onAct("start") });
  }
  if (site.owesOutcomes) {
    items.push({
      label: SITES.writeOff,
      icon: <Hourglass className="size-4" />,
      isDestructive: true,
      onChoose: () => onAct("write-off"),
    });
  }
  items.push({
    label: site.asksRehearsal ? SITES.skipRehearsals : SITES.askRehearsals,
    icon: <ClipboardCheck className="size-4" />,
    onChoose: () => onAct(site.asksRehearsal ? "skip-rehearsals" : "ask-rehearsals"),
  });
  items.push({
    label: SITES.revoke,
    icon: <Unplug className="size-4" />,
    isDestructive: true,
    onChoose: () => onAct("revoke"),
  });
  return items;
}
