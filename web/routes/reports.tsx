import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Printer } from "lucide-react";
import { Link, Route, Routes, useParams } from "react-router-dom";
import type { Report } from "shared/report_api.ts";
import { ADMIN_PATHS } from "../admin_paths.ts";
import { isMissingReport, reportQuery } from "../features/reports/get_report.ts";
import { ReportView } from "../features/reports/report_view.tsx";
import { REPORT } from "../features/reports/text.ts";
import { PATHS } from "../paths.ts";
import { REPORT_PATHS } from "../report_paths.ts";
import { FailedBox } from "../ui/failed_box.tsx";
import { Loading } from "../ui/loading.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { usePaperTheme } from "../ui/use_paper_theme.ts";
import { Wordmark } from "../ui/wordmark.tsx";
import { ReportFacts, ReportScreen, useChosenField } from "./report_screen.tsx";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

/** The report of a campaign, on the screen and for paper. */
export function Screen() {
  return (
    <Routes>
      <Route index element={<OnScreen />} />
      <Route path="print" element={<OnPaper />} />
      <Route path="*" element={<OnScreen />} />
    </Routes>
  );
}

function OnScreen() {
  return (
    <>
      <SignedInHeader />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <ReportScreen campaignPath={PATHS.campaign} reportPath={REPORT_PATHS.report} />
      </main>
    </>
  );
}

function OnPaper() {
  usePaperTheme();
  const id = Number(useParams().id);
  const field = useChosenField();
  const { user } = useSignedIn();
  const query = useQuery(reportQuery(id, field));
  const back = user.role === "admin" ? ADMIN_PATHS.report(id) : REPORT_PATHS.report(id);
  return (
    <main className="paper mx-auto px-4 py-6 sm:px-6">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3 print:hidden">
        <Link to={back} className="btn btn-ghost btn-sm -ms-3">
          <ArrowRight className="size-4" />
          {REPORT.backToReport}
        </Link>
        {query.data && (
          <button type="button" className="btn btn-primary" onClick={() => print()}>
            <Printer className="size-4" />
            {REPORT.printNow}
          </button>
        )}
      </div>
      {query.data ? <Paper report={query.data} /> : query.isError
        ? (
          <FailedBox
            title={isMissingReport(query.error) ? REPORT.missing : REPORT.failed}
            error={query.error}
            onRetry={query.refetch}
          />
        )
        : <Loading text={REPORT.loading} />}
    </main>
  );
}

function Paper({ report }: { report: Report }) {
  usePageTitle(REPORT.heading(report.name));
  return (
    <>
      <header className="mb-5 flex items-start justify-between gap-6 border-b border-edge pb-4">
        <div className="min-w-0">
          <p className="eyebrow">{REPORT.page}</p>
          <h1 className="text-2xl font-extrabold wrap-anywhere">{report.name}</h1>
          <p className="mt-1 text-sm text-ink-2">
            <ReportFacts report={report} />
          </p>
        </div>
        <Wordmark size="header" />
      </header>
      <ReportView report={report} isPaper />
    </>
  );
}
