import { CircleUser, LayoutDashboard, LogOut, type LucideIcon, Users } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { PATHS } from "../paths.ts";
import { SHELL } from "../text/shell.ts";
import { SIGNED_IN } from "../text/signed_in.ts";
import { ThemeToggle } from "../ui/theme_toggle.tsx";
import { Wordmark } from "../ui/wordmark.tsx";
import { useSignedIn } from "./signed_in_context.ts";

interface SignedInHeaderProps {
  /** Content in the middle of the bar, on wide screens. */
  middle?: ReactNode;
  /** Content on the deck under the bar. */
  children?: ReactNode;
}

/** The dark deck at the top of every signed-in screen. */
export function SignedInHeader({ middle, children }: SignedInHeaderProps) {
  const { user, leave } = useSignedIn();
  const [leaving, setLeaving] = useState(false);
  return (
    <header className="deck">
      <div className="mx-auto max-w-[1200px] px-4 sm:px-6">
        <div className="flex h-14 items-center justify-between">
          <Link
            to={PATHS.landing}
            className="inline-flex rounded-field"
            aria-label={`${SHELL.brand}, ${SIGNED_IN.home}`}
          >
            <Wordmark size="header" />
          </Link>
          {middle}
          <div className="-me-3 flex items-center gap-1">
            {user.role === "admin" && (
              <IconLink
                to={PATHS.admin}
                label={SIGNED_IN.admin}
                icon={LayoutDashboard}
              />
            )}
            {user.role === "client" && (
              <Link to={`${PATHS.client}/lists`} className="btn btn-ghost btn-sm deck-btn gap-2">
                <Users className="size-[1.125rem]" />
                <span className="max-sm:sr-only">{SIGNED_IN.lists}</span>
              </Link>
            )}
            <ThemeToggle />
            <IconLink to={PATHS.account} label={SIGNED_IN.account} icon={CircleUser} />
            <button
              type="button"
              className="btn btn-ghost btn-sm deck-btn gap-2"
              aria-busy={leaving || undefined}
              onClick={() => {
                if (leaving) return;
                setLeaving(true);
                void leave();
              }}
            >
              <LogOut className="size-[1.125rem] -scale-x-100" />
              <span className="max-sm:sr-only">{SIGNED_IN.logout}</span>
            </button>
          </div>
        </div>
        {children}
      </div>
    </header>
  );
}

function IconLink({ to, label, icon: Icon }: { to: string; label: string; icon: LucideIcon }) {
  return (
    <Link
      to={to}
      className="btn btn-ghost btn-square btn-sm deck-btn"
      aria-label={label}
      title={label}
    >
      <Icon className="size-[1.125rem]" />
    </Link>
  );
}
