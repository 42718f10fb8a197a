import {
  Building2,
  ChartLine,
  Eraser,
  FileSpreadsheet,
  Gauge,
  History,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
  Smartphone,
  Users,
  UserX,
} from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { useModal } from "../../ui/use_modal.ts";
import { Wordmark } from "../../ui/wordmark.tsx";
import { SystemStatus } from "./system_status.tsx";
import type { RailState } from "./use_rail.ts";

interface Entry {
  path: string;
  label: string;
  icon: LucideIcon;
}

const SCREENS: readonly Entry[] = [
  { path: ADMIN_PATHS.dashboard, label: ADMIN_SHELL.dashboard, icon: LayoutDashboard },
  { path: ADMIN_PATHS.devices, label: ADMIN_SHELL.devices, icon: Smartphone },
  { path: ADMIN_PATHS.antiBan, label: ADMIN_SHELL.antiBan, icon: ShieldCheck },
  { path: ADMIN_PATHS.files, label: ADMIN_SHELL.files, icon: FileSpreadsheet },
  { path: ADMIN_PATHS.users, label: ADMIN_SHELL.users, icon: Users },
];
const MORE_SCREENS: readonly Entry[] = [
  { path: ADMIN_PATHS.campaigns, label: ADMIN_SHELL.campaigns, icon: Send },
  { path: ADMIN_PATHS.capacity, label: ADMIN_SHELL.capacity, icon: Gauge },
  { path: ADMIN_PATHS.trends, label: ADMIN_SHELL.trends, icon: ChartLine },
  { path: ADMIN_PATHS.sites, label: ADMIN_SHELL.sites, icon: Building2 },
  { path: ADMIN_PATHS.suppressions, label: ADMIN_SHELL.suppressions, icon: UserX },
  { path: ADMIN_PATHS.activity, label: ADMIN_SHELL.activity, icon: History },
  { path: ADMIN_PATHS.audit, label: ADMIN_SHELL.audit, icon: ScrollText },
  { path: ADMIN_PATHS.privacy, label: ADMIN_SHELL.privacy, icon: Eraser },
];
const SETTINGS: Entry = { path: ADMIN_PATHS.settings, label: ADMIN_SHELL.settings, icon: Settings };

/** All screens in the rail, for the quick jump. */
export const RAIL_SCREENS: readonly Entry[] = [...SCREENS, ...MORE_SCREENS, SETTINGS];

/** Navigation to every screen: a column of icons or words, and under 768 px a sheet from the right. */
export function Rail({ rail }: { rail: RailState }) {
  if (rail.isPhone) return rail.isSheetOpen ? <RailSheet onClose={rail.closeSheet} /> : null;
  return (
    <aside
      className={`deck sticky top-0 flex h-dvh shrink-0 flex-col ${rail.isExpanded ? "w-64" : "w-12"}`}
      aria-label={ADMIN_SHELL.rail}
    >
      <RailContent isNarrow={!rail.isExpanded} />
    </aside>
  );
}

function RailSheet({ onClose }: { onClose: () => void }) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      className="deck fixed inset-y-0 start-0 end-auto m-0 flex h-dvh max-h-none w-72 max-w-[85vw] flex-col backdrop:bg-black/50"
      aria-label={ADMIN_SHELL.rail}
      onClose={onClose}
      onClick={({ target }) => {
        // A click beside the sheet or on a link in it closes it.
        if (target === dialog.current || (target as Element).closest("a")) onClose();
      }}
    >
      <RailContent isNarrow={false} />
    </dialog>
  );
}

function RailContent({ isNarrow }: { isNarrow: boolean }) {
  const pad = isNarrow ? "px-1" : "px-3";
  return (
    <>
      <div className={`flex h-14 shrink-0 items-center ${isNarrow ? "justify-center" : "px-4"}`}>
        <Wordmark size="header" hasWord={!isNarrow} />
      </div>
      <nav className={`grow overflow-x-hidden overflow-y-auto pt-3 ${pad}`} aria-label={ADMIN_SHELL.screens}>
        <RailList entries={SCREENS} isNarrow={isNarrow} />
        <hr className="my-2 border-white/15" />
        <RailList entries={MORE_SCREENS} isNarrow={isNarrow} />
      </nav>
      <div className={`shrink-0 pt-2 pb-2 ${pad}`}>
        <RailList entries={[SETTINGS]} isNarrow={isNarrow} />
      </div>
      <SystemStatus isNarrow={isNarrow} />
    </>
  );
}

function RailList({ entries, isNarrow }: { entries: readonly Entry[]; isNarrow: boolean }) {
  const { pathname } = useLocation();
  const [named, setNamed] = useState<{ label: string; middlePx: number }>();
  const name = (label: string) => ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const { top, height } = currentTarget.getBoundingClientRect();
    setNamed({ label, middlePx: top + height / 2 });
  };
  const clear = () => setNamed(undefined);
  return (
    <ul className="flex flex-col gap-1">
      {entries.map(({ path, label, icon: Icon }) => (
        <li key={path}>
          <Link
            to={path}
            className={`rail-item ${isNarrow ? "rail-icon" : ""}`}
            aria-current={isShown(path, pathname) ? "page" : undefined}
            aria-label={isNarrow ? label : undefined}
            {...(isNarrow
              ? { onPointerEnter: name(label), onFocus: name(label), onPointerLeave: clear, onBlur: clear }
              : {})}
          >
            <Icon className={`size-5 ${Icon === Send ? "-scale-x-100" : ""}`} />
            {!isNarrow && <span>{label}</span>}
          </Link>
        </li>
      ))}
      {isNarrow && named && <RailLabel {...named} />}
    </ul>
  );
}

/** The name of an icon beside the narrow rail; fixed, because the list scrolls and would cut it off. */
function RailLabel({ label, middlePx }: { label: string; middlePx: number }) {
  return (
    <li
      aria-hidden="true"
      className="pointer-events-none fixed start-14 z-50 -translate-y-1/2 rounded-field bg-neutral px-3 py-1.5 text-sm font-semibold whitespace-nowrap text-neutral-content shadow-lg"
      style={{ top: middlePx }}
    >
      {label}
    </li>
  );
}

/**
 * Returns whether a screen is open: at its own path or below. The dashboard's path is the prefix of all others, so
 * it must match exactly.
 */
function isShown(path: string, pathname: string): boolean {
  const shown = pathname.replace(/\/$/, "");
  return shown === path || (path !== ADMIN_PATHS.dashboard && shown.startsWith(`${path}/`));
}
