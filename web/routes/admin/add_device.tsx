import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { Site } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { DeskLink } from "../../features/sites/desk_link.tsx";
import { sitesQuery } from "../../features/sites/get_sites.ts";
import { ADD_DEVICE, DEVICES } from "../../text/admin_devices.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The button "add a device": asks for the site first, then says what to do there. */
export function AddDevice({ className = "btn btn-primary" }: { className?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Plus className="size-4" />
        {DEVICES.add}
      </button>
      {isOpen && <AddDeviceDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const sites = useQuery(sitesQuery);
  const [chosen, setChosen] = useState<Site>();
  const usable = sites.data?.items.filter(({ status }) => status !== "revoked");
  if (chosen) return <SiteSteps site={chosen} onBack={() => setChosen(undefined)} onClose={onClose} />;
  return (
    <Dialog title={ADD_DEVICE.title} onClose={onClose}>
      <p className="mb-4 text-sm">{usable?.length === 0 ? ADD_DEVICE.none : ADD_DEVICE.hint}</p>
      {sites.isPending && <Skeleton text={ADD_DEVICE.loading} rows={2} />}
      {sites.isError && !sites.data && (
        <FailedBox title={ADD_DEVICE.failed} error={sites.error} onRetry={sites.refetch} />
      )}
      <ul className="grid max-h-[50dvh] gap-1.5 overflow-y-auto">
        {usable?.map((site) => (
          <li key={site.id}>
            <button
              type="button"
              className="btn btn-ghost w-full justify-between border-base-300"
              onClick={() => setChosen(site)}
            >
              <bdi className="truncate">{site.name}</bdi>
              <span className="text-xs font-normal text-ink-3">{noteOf(site)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link to={ADMIN_PATHS.sites} className="btn btn-secondary">
          <Plus className="size-4" />
          {ADD_DEVICE.newSite}
        </Link>
        <DeskLink />
      </div>
    </Dialog>
  );
}

function SiteSteps({ site, onBack, onClose }: { site: Site; onBack: () => void; onClose: () => void }) {
  const isEnrolled = site.status !== "not_enrolled";
  return (
    <Dialog title={ADD_DEVICE.stepsTitle(site.name)} onClose={onClose}>
      {isEnrolled
        ? (
          <ol className="list-decimal ps-5 text-sm">
            {ADD_DEVICE.steps.map((step) => <li key={step} className="mb-1.5">{step}</li>)}
          </ol>
        )
        : <p className="text-sm">{ADD_DEVICE.enrolNotice}</p>}
      {isEnrolled && site.status !== "connected" && (
        <p className="tone-warn mt-2 text-sm text-tone">{ADD_DEVICE.awayNotice}</p>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        {isEnrolled
          ? <button type="button" className="btn btn-primary" onClick={onClose}>{ADD_DEVICE.done}</button>
          : <Link to={ADMIN_PATHS.sites} className="btn btn-primary">{ADD_DEVICE.toSites}</Link>}
        <button type="button" className="btn btn-ghost border-base-300" onClick={onBack}>
          {ADD_DEVICE.back}
        </button>
        <DeskLink />
      </div>
    </Dialog>
  );
}

function noteOf({ status }: Site): string {
  if (status === "not_enrolled") return ADD_DEVICE.notEnrolled;
  return status === "connected" ? "" : ADD_DEVICE.away;
}
