import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Printer } from "lucide-react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { ADMIN_PATHS } from "../admin_paths.ts";
import { statementQuery, statementSearch } from "../features/reports/get_statement.ts";
import { StatementMail } from "../features/reports/statement_mail.tsx";
import { nameOfMonth, STATEMENT } from "../features/reports/statement_text.ts";
import { StatementView } from "../features/reports/statement_view.tsx";
import { PATHS } from "../paths.ts";
import { REPORT_PATHS } from "../report_paths.ts";
import { DownloadButton } from "../ui/download_button.tsx";
import { FailedBox } from "../ui/failed_box.tsx";
import { PageHead } from "../ui/page_head.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

/** The statement of a month; what is on the screen is what the paper gets. */
export function Screen() {
  usePageTitle(STATEMENT.title);
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const search = new URLSearchParams(useLocation().search);
  const isAdmin = user.role === "admin";
  const client = isAdmin ? Number(search.get("client")) || undefined : undefined;
  const choice = { month: search.get("month") ?? undefined, client };
  const query = useQuery(statementQuery(choice));
  const found = query.data;
  return (
    <>
      <div className="print:hidden">
        <SignedInHeader />
      </div>
      <main className="paper-print mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Link
          to={isAdmin ? ADMIN_PATHS.users : PATHS.client}
          className="btn btn-ghost btn-sm -ms-3 mb-3 print:hidden"
        >
          <ArrowRight className="size-4" />
          {isAdmin ? STATEMENT.backToUsers : STATEMENT.back}
        </Link>
        <PageHead
          heading={found ? STATEMENT.heading(found.month) : STATEMENT.title}
          acts={found && (
            <div className="flex flex-wrap gap-2 print:hidden">
              <select
                className="select w-44"
                aria-label={STATEMENT.month}
                value={found.month}
                onChange={({ currentTarget: { value: month } }) =>
                  void navigate(`${REPORT_PATHS.statement}${statementSearch({ month, client })}`, {
                    replace: true,
                  })}
              >
                {[...new Set([found.month, ...found.months])].sort().reverse().map((month) => (
                  <option key={month} value={month}>{nameOfMonth(month)}</option>
                ))}
              </select>
              <button type="button" className="btn btn-ghost border-base-300" onClick={() => print()}>
                <Printer className="size-4" />
                {STATEMENT.print}
              </button>
              {(["csv", "xlsx"] as const).map((ending) => (
                <DownloadButton
                  key={ending}
                  path={`/api/statement.${ending}${statementSearch({ month: found.month, client })}`}
                  fileName={`statement-${found.month}.${ending}`}
                  className="btn-ghost border-base-300"
                >
                  {STATEMENT[ending]}
                </DownloadButton>
              ))}
            </div>
          )}
        >
          {STATEMENT.client} <bdi>{found?.client.username ?? user.username}</bdi> ·{" "}
          {found && !found.isOver ? STATEMENT.lasting : STATEMENT.subtitle}
        </PageHead>
        {found
          ? (
            <div aria-busy={query.isPlaceholderData || undefined}>
              <StatementView statement={found} />
              {!isAdmin && (
                <div className="print:hidden">
                  <StatementMail key={found.mail.email} mail={found.mail} />
                </div>
              )}
            </div>
          )
          : query.isError
          ? <FailedBox title={STATEMENT.failed} error={query.error} onRetry={query.refetch} />
          : <Skeleton text={STATEMENT.loading} rows={6} />}
      </main>
    </>
  );
}
