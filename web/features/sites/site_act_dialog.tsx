import type { Site } from "shared/admin_api.ts";
import { SITES } from "../../text/admin_sites.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { type SiteAct, useActOnSite } from "./act_on_site.ts";

interface SiteActDialogProps {
  site: Site;
  act: SiteAct;
  onClose: () => void;
}

/** Asks before an act on a site, and shows its effect. */
export function SiteActDialog({ site, act, onClose }: SiteActDialogProps) {
  const change = useActOnSite(onClose);
  const words = {
    revoke: {
      title: SITES.revokeTitle(site.name),
      effect: SITES.revokeEffect(site.devices, site.held),
      confirm: SITES.revoke,
      busyText: SITES.revoking,
    },
    start: {
      title: SITES.startTitle(site.name),
      effect: site.stopped
        ? SITES.startEffect[site.stopReason ?? "journal_doubted"]
        : SITES.startUnconfirmedEffect,
      confirm: SITES.start,
      busyText: SITES.starting,
    },
    "write-off": {
      title: SITES.writeOffTitle(site.name),
      effect: SITES.writeOffEffect,
      confirm: SITES.writeOff,
      busyText: SITES.writingOff,
    },
    "ask-rehearsals": {
      title: SITES.askRehearsalsTitle(site.name),
      effect: SITES.askRehearsalsEffect,
      confirm: SITES.askRehearsals,
      busyText: SITES.askingRehearsals,
    },
    "skip-rehearsals": {
      title: SITES.skipRehearsalsTitle(site.name),
      effect: SITES.skipRehearsalsEffect,
      confirm: SITES.skipRehearsals,
      busyText: SITES.askingRehearsals,
    },
  }[act];
  return (
    <ConfirmDialog
      title={words.title}
      confirm={words.confirm}
      busyText={words.busyText}
      busy={change.isPending}
      isDestructive={act === "revoke" || act === "write-off"}
      onConfirm={() => change.mutate({ id: site.id, act })}
      onClose={onClose}
    >
      {words.effect}
    </ConfirmDialog>
  );
}
