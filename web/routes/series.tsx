import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { Link, Navigate, Route, Routes, useParams } from "react-router-dom";
import { isMissingSeries, seriesQuery } from "../features/series/get_series.ts";
import { SeriesList } from "../features/series/series_list.tsx";
import { SeriesSheet } from "../features/series/series_sheet.tsx";
import { SERIES } from "../features/series/text.ts";
import { PATHS } from "../paths.ts";
import { SERIES_PATHS } from "../series_paths.ts";
import { FailedBox } from "../ui/failed_box.tsx";
import { Loading } from "../ui/loading.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

/** A client's repeats, and one of them with its runs. */
export function Screen() {
  return (
    <>
      <SignedInHeader />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Routes>
          <Route index element={<All />} />
          <Route path=":id" element={<One />} />
          <Route path="*" element={<Navigate to={SERIES_PATHS.all} replace />} />
        </Routes>
      </main>
    </>
  );
}

function All() {
  usePageTitle(SERIES.title);
  return (
    <>
      <Back to={PATHS.client}>{SERIES.back}</Back>
      <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{SERIES.heading}</h1>
      <p className="mt-1.5 mb-6 max-w-prose text-ink-2">{SERIES.subtitle}</p>
      <SeriesList />
    </>
  );
}

function One() {
  const id = Number(useParams().id);
  const series = useQuery({ ...seriesQuery(id), enabled: Number.isSafeInteger(id) });
  usePageTitle(series.data?.name ?? SERIES.title);
  const isMissing = !Number.isSafeInteger(id) || isMissingSeries(series.error);
  return (
    <>
      <Back to={SERIES_PATHS.all}>{SERIES.backToAll}</Back>
      {isMissing
        ? <h1 className="py-20 text-center text-2xl font-extrabold">{SERIES.missing}</h1>
        : series.data
        ? (
          <SeriesSheet
            series={series.data}
            linkTo={({ id: campaign, name }) => (
              <Link to={PATHS.campaign(campaign)} className="link wrap-anywhere">{name}</Link>
            )}
          />
        )
        : series.isError
        ? <FailedBox title={SERIES.failed} error={series.error} onRetry={series.refetch} />
        : <Loading text={SERIES.loading} />}
    </>
  );
}

function Back({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="btn btn-ghost btn-sm -ms-3 mb-3">
      <ArrowRight className="size-4" />
      {children}
    </Link>
  );
}
