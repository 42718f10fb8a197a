import { ArrowRight } from "lucide-react";
import { Link, useNavigate } from "react-router-dom";
import { LoginForm } from "../features/session/login_form.tsx";
import { PATHS } from "../paths.ts";
import { LOGIN } from "../features/session/text/login.ts";
import { FleetHero } from "../ui/fleet_hero.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { Wordmark } from "../ui/wordmark.tsx";

/** The login page; redirects an administrator to the users, a client to their campaigns. */
export function Screen() {
  usePageTitle(LOGIN.title);
  const navigate = useNavigate();
  return (
    <div className="grid min-h-dvh lg:grid-cols-2">
      <main className="flex flex-col px-4 py-6 sm:px-10">
        <Link to={PATHS.landing} className="btn btn-ghost btn-sm -ms-2 self-start">
          <ArrowRight className="size-4" />
          {LOGIN.back}
        </Link>
        <div className="m-auto w-full max-w-sm py-10">
          <div className="mb-8 lg:hidden">
            <Wordmark size="large" />
          </div>
          <h1 className="text-3xl font-extrabold tracking-tight">{LOGIN.heading}</h1>
          <p className="mt-2 text-ink-2">{LOGIN.hint}</p>
          <LoginForm
            onLoggedIn={(user) => navigate(user.role === "admin" ? PATHS.adminUsers : PATHS.client)}
          />
        </div>
      </main>
      <aside className="deck relative hidden overflow-hidden lg:block" aria-hidden="true">
        <div className="absolute inset-0 grid place-items-center p-12">
          <div className="w-full max-w-[30rem]">
            <FleetHero />
            <div className="mt-8">
              <Wordmark size="hero" />
            </div>
            <p className="mt-3 text-lg text-ink-2">{LOGIN.motto}</p>
          </div>
        </div>
      </aside>
    </div>
  );
}
