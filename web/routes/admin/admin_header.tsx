import { CircleUser, House, LogOut, PanelRight, Search, Send } from "lucide-react";
import { Link, useNavigate } from "react-router-dom";
import { AlertsButton } from "../../features/alerts/alerts_button.tsx";
import { PATHS } from "../../paths.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { SIGNED_IN } from "../../text/signed_in.ts";
import { Menu } from "../../ui/menu.tsx";
import { ThemeToggle } from "../../ui/theme_toggle.tsx";
import { pastLeaveGuard } from "../../ui/use_leave_guard.ts";
import { useSignedIn } from "../signed_in_context.ts";
import { BrowserNoticesChoice } from "./browser_notices.tsx";
import { LiveLight } from "./live_light.tsx";
import type { RailState } from "./use_rail.ts";

interface AdminHeaderProps {
  rail: RailState;
  onJump: () => void;
}

/** The bar above every administrators' screen. */
export function AdminHeader({ rail, onJump }: AdminHeaderProps) {
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-1.5 border-b border-base-300 bg-base-100 px-3 sm:px-5">
      <button
        type="button"
        className="btn btn-ghost btn-square btn-sm"
        aria-label={ADMIN_SHELL.toggleRail}
        title={ADMIN_SHELL.toggleRail}
        aria-expanded={rail.isPhone ? rail.isSheetOpen : rail.isExpanded}
        aria-keyshortcuts="Control+B Meta+B"
        onClick={rail.toggle}
      >
        <PanelRight className="size-[1.125rem]" />
      </button>
      <Link to={PATHS.landing} className="btn btn-ghost btn-sm gap-2">
        <House className="size-[1.125rem]" />
        <span className="max-sm:sr-only">{SIGNED_IN.home}</span>
      </Link>
      <button
        type="button"
        className="btn btn-sm gap-2 border-base-300 bg-sunk font-normal text-ink-3 max-lg:btn-square max-lg:border-transparent max-lg:bg-transparent max-lg:text-base-content lg:ms-2 lg:w-64 lg:justify-start"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onJump}
      >
        <Search className="size-[1.125rem] lg:size-4" />
        <span className="grow text-start max-lg:sr-only">{ADMIN_SHELL.quickJump}</span>
        <kbd className="num font-sans text-xs max-lg:hidden" aria-hidden="true">Ctrl K</kbd>
      </button>
      <span className="grow" />
      <LiveLight />
      <AlertsButton>
        <BrowserNoticesChoice />
      </AlertsButton>
      <ThemeToggle className="" />
      <AccountMenu />
    </header>
  );
}

function AccountMenu() {
  const { user, leave } = useSignedIn();
  const navigate = useNavigate();
  return (
    <Menu
      label={ADMIN_SHELL.account(user.username)}
      className="btn btn-ghost btn-sm gap-2"
      items={[
        {
          label: ADMIN_SHELL.myCampaigns,
          icon: <Send className="size-4 -scale-x-100" />,
          onChoose: () => navigate(PATHS.client),
        },
        {
          label: SIGNED_IN.account,
          icon: <CircleUser className="size-4" />,
          onChoose: () => navigate(PATHS.account),
        },
        {
          label: ADMIN_SHELL.logout,
          icon: <LogOut className="size-4 -scale-x-100" />,
          onChoose: () => pastLeaveGuard(() => void leave()),
        },
      ]}
    >
      <CircleUser className="size-[1.125rem]" />
      <bdi className="max-w-32 truncate max-sm:hidden">{user.username}</bdi>
    </Menu>
  );
}
