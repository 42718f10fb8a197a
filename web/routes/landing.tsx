import { MousePointerClick, ShieldCheck, Users, Zap } from "lucide-react";
import { Link } from "react-router-dom";
import { PATHS } from "../paths.ts";
import { LANDING } from "./landing_text.ts";
import { FleetHero } from "../ui/fleet_hero.tsx";
import { Num } from "../ui/num.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { ThemeToggle } from "../ui/theme_toggle.tsx";
import { Wordmark } from "../ui/wordmark.tsx";

const FEATURES = [
  { ...LANDING.features.antiBan, icon: ShieldCheck },
  { ...LANDING.features.fast, icon: Zap },
  { ...LANDING.features.clients, icon: Users },
  { ...LANDING.features.simple, icon: MousePointerClick },
];

/** The public front page. */
export function Screen() {
  usePageTitle(LANDING.title);
  return (
    <>
      <header className="deck">
        <div className="mx-auto flex h-16 max-w-[1200px] items-center justify-between gap-2 px-4 sm:px-6">
          <Wordmark size="large" />
          <div className="flex items-center gap-2">
            <ThemeToggle />
            <Link to={PATHS.login} className="btn btn-ghost deck-btn max-sm:px-2">{LANDING.adminLogin}</Link>
            <Link to={PATHS.login} className="btn deck-line max-sm:px-3">{LANDING.login}</Link>
          </div>
        </div>
      </header>
      <main>
        <section className="deck" aria-labelledby="hero-h">
          <div className="mx-auto grid max-w-[1200px] items-center gap-x-14 gap-y-12 px-4 pt-12 pb-16 sm:px-6 lg:grid-cols-[1fr_30rem] lg:pt-16 lg:pb-20">
            <div>
              <h1
                id="hero-h"
                className="text-4xl leading-[1.08] font-extrabold tracking-tight sm:text-5xl"
              >
                {LANDING.heroFirst}
                <br />
                {LANDING.heroSecond}
              </h1>
              <p className="mt-5 max-w-[34rem] text-lg text-ink-2">{LANDING.pitch}</p>
              <div className="mt-8 flex flex-wrap gap-3">
                <Link to={PATHS.login} className="btn btn-accent btn-lg px-7">{LANDING.enter}</Link>
                <Link to={PATHS.login} className="btn btn-lg deck-line">{LANDING.learnMore}</Link>
              </div>
            </div>
            <div>
              <FleetHero label={LANDING.fleet} />
              <p className="mt-5 inline-flex items-center gap-2 font-semibold">
                <span className="live-dot text-accent" />
                <span>
                  <Num>{LANDING.badgeNumber}</Num> {LANDING.badge}
                </span>
              </p>
            </div>
          </div>
        </section>
        <section className="mx-auto max-w-[1200px] px-4 py-14 sm:px-6" aria-labelledby="features-h">
          <h2 id="features-h" className="mb-6 text-2xl font-extrabold tracking-tight">
            {LANDING.featuresTitle}
          </h2>
          <div className="sheet figs max-sm:[--cols-narrow:1]">
            {FEATURES.map(({ title, body, icon: Icon }) => (
              <article key={title} className="fig p-6">
                <Icon className="size-7 text-primary" />
                <h3 className="mt-4 text-lg font-bold">{title}</h3>
                <p className="mt-1.5 text-ink-2">{body}</p>
              </article>
            ))}
          </div>
        </section>
      </main>
      <footer className="border-t border-base-300">
        <div className="mx-auto flex max-w-[1200px] flex-wrap items-center justify-between gap-3 px-4 py-6 text-sm text-ink-2 sm:px-6">
          <Wordmark size="small" />
          <span>{LANDING.pledge}</span>
          <a href="/developers" className="link">{LANDING.developers}</a>
          <Num>{LANDING.version}</Num>
        </div>
      </footer>
    </>
  );
}
