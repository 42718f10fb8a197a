import { Info, Printer } from "lucide-react";
import { Link, useSearchParams } from "react-router-dom";
import {
  DESK_GROUPS,
  DESK_POINT_IDS,
  DESK_POINTS,
  DESK_STEPS,
  type DeskGroup,
  type DeskPoint,
  type DeskStep,
  type InBoth,
  type Maker,
  MAKER_NAMES,
  MAKERS,
  pointsOf,
  pressOf,
} from "shared/desk_guide.ts";
import { PATHS } from "../paths.ts";
import { usePageTitle } from "../ui/page_title.ts";
import { Segments } from "../ui/segments.tsx";
import { ThemeToggle } from "../ui/theme_toggle.tsx";
import { Wordmark } from "../ui/wordmark.tsx";
import { DESK } from "./desk_text.ts";

type Language = keyof InBoth;

const GROUPS = Object.keys(DESK_GROUPS) as DeskGroup[];

/** The page for a person beside the phones: without a login, in two languages, for paper too. */
export function Screen() {
  const [search, setSearch] = useSearchParams();
  const language: Language = search.get("lang") === "en" ? "en" : "he";
  const maker = MAKERS.find((one) => one === search.get("maker")) ?? null;
  const words = DESK[language];
  usePageTitle(words.title);

  function change(name: string, value: string) {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true });
  }

  return (
    <div lang={language} dir={language === "he" ? "rtl" : "ltr"} className="min-h-dvh bg-base-200">
      <header className="deck print:hidden">
        <div className="mx-auto flex h-14 max-w-[1080px] items-center justify-between gap-2 px-4 sm:px-6">
          <Link to={PATHS.landing} lang="he" dir="rtl" className="flex">
            <Wordmark size="small" />
          </Link>
          <div className="flex items-center gap-2">
            <ThemeToggle />
            <button
              type="button"
              lang={language === "he" ? "en" : "he"}
              className="btn deck-line btn-sm"
              onClick={() => change("lang", language === "he" ? "en" : "he")}
            >
              {words.otherLanguage}
            </button>
            <button type="button" className="btn btn-accent btn-sm" onClick={() => print()}>
              <Printer className="size-4" />
              {words.print}
            </button>
          </div>
        </div>
      </header>
      <main className="mx-auto max-w-[1080px] px-4 py-6 sm:px-6 print:max-w-none print:p-0 print:text-[8.5pt] print:leading-tight">
        <h1 className="text-2xl font-extrabold tracking-tight print:text-[15pt]">{words.heading}</h1>
        <p className="mt-1 text-ink-2">
          {words.pitch}
          <span className="hidden print:inline">
            {` ${maker === null ? words.anyMaker : MAKER_NAMES[maker]}.`}
          </span>
        </p>
        <div className="my-4 print:hidden">
          <Segments
            label={words.maker}
            options={[
              { value: "", label: words.anyMaker },
              ...MAKERS.map((one) => ({ value: one as string, label: MAKER_NAMES[one] })),
            ]}
            chosen={maker ?? ""}
            onChoose={(value) => change("maker", value)}
            wraps
          />
        </div>
        <Steps language={language} maker={maker} />
        <section aria-labelledby="points-h" className="mt-6 print:mt-2">
          <h2 id="points-h" className="text-xl font-bold print:text-[12pt]">{words.points}</h2>
          <p className="mt-1 mb-3 text-sm text-ink-2 print:mb-1 print:text-[8pt]">
            {maker === null && `${words.noMaker} `}
            {words.pointsHint}
          </p>
          <div className="grid gap-4 print:gap-1">
            {GROUPS.map((group) => <Group key={group} group={group} language={language} maker={maker} />)}
          </div>
        </section>
        <p className="tone-warn notice mt-5 print:mt-2 print:border-0 print:bg-transparent print:p-0 print:text-[8pt]">
          <Info aria-hidden="true" className="print:hidden" />
          <span>{words.notSeen}</span>
        </p>
      </main>
    </div>
  );
}

function Steps({ language, maker }: { language: Language; maker: Maker | null }) {
  const words = DESK[language];
  return (
    <section aria-labelledby="steps-h">
      <h2 id="steps-h" className="mb-3 text-xl font-bold print:mb-1 print:text-[12pt]">{words.steps}</h2>
      <ol className="sheet divide-y divide-base-300 print:rounded-none">
        {DESK_STEPS.map((step, index) => (
          <li
            key={step.press.en}
            className="grid gap-x-6 gap-y-1 p-4 sm:grid-cols-[2rem_1fr_1fr] print:grid-cols-[1.2rem_1fr_1fr] print:gap-x-3 print:px-2 print:py-0.5"
          >
            <span className="num justify-self-start text-xl font-extrabold text-primary print:text-[10pt]">
              {index + 1}
            </span>
            <div>
              <p className="sr-only">{words.press}</p>
              <p className="font-semibold">{step.press[language]}</p>
              {step.command && (
                <code
                  dir="ltr"
                  className="mt-1 block rounded bg-base-200 px-2 py-1 text-sm wrap-anywhere print:m-0 print:p-0 print:text-[8pt]"
                >
                  {step.command[language]}
                </code>
              )}
              <MakerNotes step={step} language={language} maker={maker} />
            </div>
            <p>
              <span className="text-ink-3">{step.command ? words.computerShows : words.shows}</span>{" "}
              {step.shows[language]}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function MakerNotes({ step, language, maker }: { step: DeskStep; language: Language; maker: Maker | null }) {
  const noted = MAKERS.filter((one) => step.makers?.[one] && (maker === null || one === maker));
  return (
    <>
      {noted.map((one) => (
        <p key={one} className="mt-0.5 text-sm text-ink-2 print:text-[8pt]">
          <MakerName maker={one} /> {step.makers![one]![language]}
        </p>
      ))}
    </>
  );
}

function MakerName({ maker }: { maker: Maker }) {
  return (
    <b>
      <bdi>{MAKER_NAMES[maker]}</bdi>:
    </b>
  );
}

function Group({ group, language, maker }: { group: DeskGroup; language: Language; maker: Maker | null }) {
  const points = pointsIn(group, maker);
  return (
    <section aria-labelledby={`${group}-h`}>
      <h3 id={`${group}-h`} className="mb-1.5 font-bold print:mb-0.5">{DESK_GROUPS[group][language]}</h3>
      <ul className="sheet divide-y divide-base-300 print:rounded-none">
        {points.map((point) => <Point key={point} point={point} language={language} maker={maker} />)}
      </ul>
    </section>
  );
}

/** Without a maker, the points of all makers. */
function pointsIn(group: DeskGroup, maker: Maker | null): DeskPoint[] {
  const points = maker === null ? DESK_POINT_IDS : pointsOf(maker);
  return points.filter((point) => DESK_POINTS[point].group === group);
}

function Point({ point, language, maker }: { point: DeskPoint; language: Language; maker: Maker | null }) {
  const { name, only, seen, path, choose } = DESK_POINTS[point];
  const general = maker ?? only ?? null;
  const others = maker !== null || only !== undefined
    ? []
    : MAKERS.filter((one) => path?.[one] ?? choose[one]);
  const hasGeneral = general !== null || path?.any !== undefined || path === undefined;
  return (
    <li
      id={point}
      className="grid gap-x-6 gap-y-1 p-4 sm:grid-cols-[15rem_1fr_8.5rem] print:break-inside-avoid print:grid-cols-[11.5rem_1fr_6.5rem] print:gap-x-2 print:px-2 print:py-0.5"
    >
      <p className="font-semibold">
        <span className="me-1.5 hidden size-2.5 border border-base-content print:inline-block" />
        {only && maker === null && <MakerName maker={only} />} {name[language]}
      </p>
      <div>
        {hasGeneral && <Press point={point} language={language} maker={general} />}
        {others.map((one) => (
          <div key={one} className="mt-1 text-sm text-ink-2 print:mt-0 print:text-[8pt]">
            <MakerName maker={one} />{" "}
            <Press
              point={point}
              language={language}
              maker={one}
              isOther={hasGeneral}
            />
          </div>
        ))}
      </div>
      <p className="text-sm text-ink-3 print:text-[7.5pt]">{DESK[language].seenBy[seen]}</p>
    </li>
  );
}

interface PressProps {
  point: DeskPoint;
  language: Language;
  maker: Maker | null;
  /** Shown below the words for most phones, which it does not repeat. */
  isOther?: boolean;
}

function Press({ point, language, maker, isOther = false }: PressProps) {
  const { path, choose } = pressOf(point, maker);
  const isSame = isOther && choose === pressOf(point, null).choose;
  const arrow = language === "he" ? " ← " : " → ";
  return (
    <span>
      {path.map((menu, index) => (
        <span key={menu.en}>
          {index > 0 && <span className="text-ink-3">{arrow}</span>}
          <bdi>{menu[language]}</bdi>
        </span>
      ))}
      {!isSame && path.length > 0 && ": "}
      {!isSame && <b className="font-semibold">{choose[language]}</b>}
    </span>
  );
}
