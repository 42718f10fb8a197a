import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useEffect, useState } from "react";
import { Route, Routes } from "react-router-dom";
import { ProofDialogs } from "../features/session/proof_dialog.tsx";
import { ADMIN_SHELL } from "../text/admin_shell.ts";
import { lazyPart } from "../ui/lazy_part.tsx";
import { useShortcut } from "../ui/use_shortcut.ts";
import { Screen as Activity } from "./admin/activity.tsx";
import { AdminHeader } from "./admin/admin_header.tsx";
import { AdminNotFound } from "./admin/admin_not_found.tsx";
import { Screen as AntiBan } from "./admin/anti_ban.tsx";
import { Screen as Audit } from "./admin/audit.tsx";
import { useBrowserNotices } from "./admin/browser_notices.tsx";
import { Screen as Campaign } from "./admin/campaign.tsx";
import { Screen as Campaigns } from "./admin/campaigns.tsx";
import { Screen as Dashboard } from "./admin/dashboard.tsx";
import { Screen as Device } from "./admin/device.tsx";
import { Screen as Devices } from "./admin/devices.tsx";
import { Screen as Files } from "./admin/files.tsx";
import { healthQuery } from "./admin/get_health.ts";
import { Screen as Privacy } from "./admin/privacy.tsx";
import { QuickJump } from "./admin/quick_jump.tsx";
import { Rail } from "./admin/rail.tsx";
import { Screen as Settings } from "./admin/settings.tsx";
import { Screen as Sites } from "./admin/sites.tsx";
import { Screen as Suppressions } from "./admin/suppressions.tsx";
import { useNotices } from "./admin/use_notices.ts";
import { useRail } from "./admin/use_rail.ts";
import { Screen as Users } from "./admin/users.tsx";
import { useSignedIn } from "./signed_in_context.ts";

const Alerts = lazyPart(async () => (await import("./admin/alerts.tsx")).Screen);
const Capacity = lazyPart(async () => (await import("./admin/capacity.tsx")).Screen);
const Report = lazyPart(async () => (await import("./admin/report.tsx")).Screen);
const SiteScreens = lazyPart(async () => (await import("./admin/site_screens.tsx")).Screen);
const Trends = lazyPart(async () => (await import("./admin/trends.tsx")).Screen);

/**
 * Paths below the shell's own. The first screens share one chunk: separate chunks would split shared code into dozens of
 * small files, and visitors and clients would have to load some of them.
 */
const SCREENS: readonly (readonly [string, ComponentType])[] = [
  ["/", Dashboard],
  ["alerts", Alerts],
  ["devices", Devices],
  ["devices/:id", Device],
  ["sites", Sites],
  ["sites/:id/screens", SiteScreens],
  ["anti-ban", AntiBan],
  ["files", Files],
  ["users", Users],
  ["campaigns", Campaigns],
  ["campaigns/:id", Campaign],
  ["campaigns/:id/report", Report],
  ["capacity", Capacity],
  ["trends", Trends],
  ["activity", Activity],
  ["suppressions", Suppressions],
  ["audit", Audit],
  ["privacy", Privacy],
  ["settings", Settings],
  ["*", AdminNotFound],
];

const LiveNotice = lazyPart(async () => (await import("./live_notice.tsx")).LiveNotice, {
  isQuiet: true,
  isEarly: true,
});

/** The administrators' shell: the navigation rail, the bar, and a screen for each path below /admin. */
export function Screen() {
  const rail = useRail();
  const { user } = useSignedIn();
  const [isJumping, setJumping] = useState(false);
  useNotices();
  useBrowserNotices();
  const health = useHealth();
  useShortcut("KeyK", () => {
    // Only one dialog at a time: the quick jump does not open over another dialog.
    if (isJumping || !document.querySelector("dialog[open]")) setJumping(!isJumping);
  });
  return (
    <div className="flex min-h-dvh">
      <a
        href="#admin-main"
        className="btn btn-primary fixed start-2 top-2 z-50 not-focus:sr-only"
      >
        {ADMIN_SHELL.skip}
      </a>
      <Rail rail={rail} />
      <div className="min-w-0 grow">
        <AdminHeader rail={rail} onJump={() => setJumping(true)} />
        <main
          id="admin-main"
          tabIndex={-1}
          className="mx-auto max-w-[1360px] px-4 py-6 wrap-break-word sm:px-6"
        >
          <LiveNotice query={health} />
          <Routes>
            {SCREENS.map(([path, Shown]) => <Route key={path} path={path} element={<Shown />} />)}
          </Routes>
        </main>
      </div>
      {isJumping && <QuickJump onClose={() => setJumping(false)} />}
      <ProofDialogs user={user} />
    </div>
  );
}

/**
 * Returns the server's health; fetched immediately when the live channel is lost, because only the channel may be
 * down.
 */
function useHealth() {
  const health = useQuery(healthQuery);
  const isLost = useSignedIn().live.state === "retrying";
  useEffect(() => {
    if (isLost) void health.refetch();
  }, [isLost]);
  return health;
}
