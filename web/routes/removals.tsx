import { ArrowRight } from "lucide-react";
import { Link, Navigate } from "react-router-dom";
import { ADMIN_PATHS } from "../admin_paths.ts";
import { WaitingReplies } from "../features/replies/waiting_replies.tsx";
import { AddFileCard } from "../features/suppressions/add_file_card.tsx";
import { AddNumbersCard } from "../features/suppressions/add_numbers_card.tsx";
import { SuppressionList } from "../features/suppressions/suppression_list.tsx";
import { PATHS } from "../paths.ts";
import { REMOVALS } from "../features/suppressions/text/removals.ts";
import { usePageTitle } from "../ui/page_title.ts";
import { useMayDo } from "../ui/may_do.ts";
import { useNow } from "../ui/use_now.ts";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

const MINUTE_MS = 60_000;

/** A client's own suppression list, and the replies that wait for the client's decision. */
export function Screen() {
  usePageTitle(REMOVALS.title);
  const now = useNow(MINUTE_MS);
  const mayWrite = useMayDo("writer");
  // Administrators have their own screen for the global list.
  if (useSignedIn().user.role === "admin") return <Navigate to={ADMIN_PATHS.suppressions} replace />;
  return (
    <>
      <SignedInHeader />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Link to={PATHS.account} className="btn btn-ghost btn-sm -ms-3 mb-3">
          <ArrowRight className="size-4" />
          {REMOVALS.back}
        </Link>
        <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{REMOVALS.heading}</h1>
        <p className="mt-1.5 mb-6 max-w-prose text-ink-2">{REMOVALS.subtitle}</p>
        <div className="grid gap-6">
          <WaitingReplies now={now} />
          <div className={`grid items-start gap-6 ${mayWrite ? "lg:grid-cols-[22rem_1fr]" : ""}`}>
            {mayWrite && (
              <div className="grid gap-6">
                <AddNumbersCard />
                <AddFileCard />
              </div>
            )}
            <SuppressionList now={now} isOwn />
          </div>
        </div>
      </main>
    </>
  );
}
