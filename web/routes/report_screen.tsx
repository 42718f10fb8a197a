import { useQuery } from "@tanstack/react-query";
import { ArrowRight, ChartNoAxesColumn, Printer, SearchX } from "lucide-react";
import { Link, useLocation, useNavigate, useParams } from "react-router-dom";
import type { Report } from "shared/report_api.ts";
import { CampaignMark } from "../features/campaigns/campaign_mark.tsx";
import { KIND_LABELS } from "../features/campaigns/text/kind_labels.ts";
import { isMissingReport, reportPath, reportQuery } from "../features/reports/get_report.ts";
import { ReportView } from "../features/reports/report_view.tsx";
import { REPORT } from "../features/reports/text.ts";
import { REPORT_PATHS } from "../report_paths.ts";
import { formatMoment } from "../text/format.ts";
import { DownloadButton } from "../ui/download_button.tsx";
import { EmptyBox } from "../ui/empty_box.tsx";
import { FailedBox } from "../ui/failed_box.tsx";
import { PageHead } from "../ui/page_head.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { RefreshButton } from "../ui/refresh_button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useNow } from "../ui/use_now.ts";

const MINUTE_MS = 60_000;

interface ReportScreenProps {
  /** Path of the campaign's own screen. */
  campaignPath: (id: number) => string;
  /** Path of this screen. */
  reportPath: (id: number) => string;
}

/** The report of one campaign, for its client or an administrator; the chosen field is in the address. */
export function ReportScreen(props: ReportScreenProps) {
  const id = Number(useParams().id);
  return Number.isSafeInteger(id) ? <LoadedById key={id} id={id} {...props} /> : <Missing />;
}

/** The field that the address names. */
export function useChosenField(): string | undefined {
  return new URLSearchParams(useLocation().search).get("field") || undefined;
}

function LoadedById({ id, campaignPath, reportPath: pathOf }: ReportScreenProps & { id: number }) {
  const field = useChosenField();
  const navigate = useNavigate();
  const query = useQuery(reportQuery(id, field));
  if (isMissingReport(query.error)) return <Missing />;
  const choose = (next: string | undefined) =>
    void navigate(`${pathOf(id)}${next === undefined ? "" : `?${new URLSearchParams({ field: next })}`}`, {
      replace: true,
    });
  return (
    <>
      <Link to={campaignPath(id)} className="btn btn-ghost btn-sm -ms-3 mb-3">
        <ArrowRight className="size-4" />
        {REPORT.back}
      </Link>
      {query.data
        ? (
          <Loaded
            report={query.data}
            field={field}
            isLoading={query.isPlaceholderData}
            onField={choose}
            onRefresh={() => query.refetch()}
          />
        )
        : query.isError
        ? <FailedBox title={REPORT.failed} error={query.error} onRetry={query.refetch} />
        : (
          <>
            <PageHead heading={REPORT.open} />
            <Skeleton text={REPORT.loading} rows={6} />
          </>
        )}
    </>
  );
}

interface LoadedProps {
  report: Report;
  field: string | undefined;
  isLoading: boolean;
  onField: (field: string | undefined) => void;
  onRefresh: () => Promise<unknown>;
}

function Loaded({ report, field, isLoading, onField, onRefresh }: LoadedProps) {
  usePageTitle(REPORT.heading(report.name));
  const { id, startedAt } = report;
  const search = field === undefined ? "" : `?${new URLSearchParams({ field })}`;
  return (
    <>
      <PageHead
        heading={REPORT.heading(report.name)}
        mark={<CampaignMark status={report.status} counts={report.counts} />}
        acts={
          <>
            <RefreshButton onRefresh={onRefresh} />
            {startedAt !== null && (
              <>
                <Link to={`${REPORT_PATHS.paper(id)}${search}`} className="btn btn-ghost border-base-300">
                  <Printer className="size-4" />
                  {REPORT.print}
                </Link>
                <DownloadButton
                  path={reportPath(id, field, ".csv")}
                  fileName={`report-${id}.csv`}
                  className="btn-ghost border-base-300"
                >
                  {REPORT.csv}
                </DownloadButton>
                <DownloadButton
                  path={reportPath(id, field, ".xlsx")}
                  fileName={`report-${id}.xlsx`}
                  className="btn-ghost border-base-300"
                >
                  {REPORT.xlsx}
                </DownloadButton>
                <DownloadButton
                  path={`/api/campaigns/${id}/recipients.xlsx`}
                  fileName={`recipients-${id}.xlsx`}
                  className="btn-ghost border-base-300"
                >
                  {REPORT.recipients}
                </DownloadButton>
              </>
            )}
          </>
        }
      >
        <ReportFacts report={report} />
      </PageHead>
      {startedAt === null
        ? <EmptyBox icon={ChartNoAxesColumn} title={REPORT.unsent} body={REPORT.unsentHint} />
        : (
          <div aria-busy={isLoading || undefined}>
            <ReportView report={report} onField={onField} />
          </div>
        )}
    </>
  );
}

/** One line about the campaign, and how old the report is. */
export function ReportFacts({ report: { at, client, kind, startedAt, completedAt } }: { report: Report }) {
  const now = useNow(MINUTE_MS);
  const facts = [
    KIND_LABELS[kind],
    startedAt !== null && REPORT.started(formatMoment(startedAt, now)),
    completedAt !== null && REPORT.ended(formatMoment(completedAt, now)),
    REPORT.asOf(formatMoment(at, now)),
  ];
  return (
    <>
      {client !== null && (
        <>
          {REPORT.client} <bdi>{client}</bdi> ·{" "}
        </>
      )}
      {facts.filter(Boolean).join(" · ")}
    </>
  );
}

function Missing() {
  usePageTitle(REPORT.missing);
  return (
    <div className="grid justify-items-center gap-2 py-20 text-center">
      <SearchX className="size-8 text-ink-3" />
      <h1 className="text-2xl font-extrabold">{REPORT.missing}</h1>
      <p className="text-ink-2">{REPORT.missingHint}</p>
    </div>
  );
}
