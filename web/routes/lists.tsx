import { ArrowRight } from "lucide-react";
import { Link, Navigate, Route, Routes, useNavigate, useSearchParams } from "react-router-dom";
import { ADMIN_PATHS } from "../admin_paths.ts";
import { CreateListCard, ListOverview } from "../features/lists/list_overview.tsx";
import { LISTS } from "../features/lists/text.ts";
import { LIST_PATHS } from "../list_paths.ts";
import { PATHS } from "../paths.ts";
import { lazyPart } from "../ui/lazy_part.tsx";
import { useMayDo } from "../ui/may_do.ts";
import { usePageTitle } from "../ui/page_title.ts";
import { ListScreen } from "./list.tsx";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

// Administrators show a masked list after a proof; clients never meet the dialog.
const ProofDialogs = lazyPart(
  async () => (await import("../features/session/proof_dialog.tsx")).ProofDialogs,
  { isQuiet: true },
);

/** A client's lists, and one of them. */
export function Screen() {
  const { user } = useSignedIn();
  return (
    <>
      <SignedInHeader />
      {user.role === "admin" && <ProofDialogs user={user} />}
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Routes>
          <Route index element={<All />} />
          <Route path=":id" element={<ListScreen />} />
          <Route path="*" element={<Navigate to={LIST_PATHS.all} replace />} />
        </Routes>
      </main>
    </>
  );
}

function All() {
  usePageTitle(LISTS.title);
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const isAdmin = user.role === "admin";
  const mayCreate = useMayDo("writer") && !isAdmin;
  const client = isAdmin ? Number(search.get("client")) || 0 : undefined;
  return (
    <>
      <Link to={isAdmin ? ADMIN_PATHS.users : PATHS.client} className="btn btn-ghost btn-sm -ms-3 mb-3">
        <ArrowRight className="size-4" />
        {isAdmin ? LISTS.backToUsers : LISTS.back}
      </Link>
      <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">
        {isAdmin ? LISTS.headingOf : LISTS.heading}
      </h1>
      <p className="mt-1.5 mb-6 max-w-prose text-ink-2">{isAdmin ? LISTS.subtitleOf : LISTS.subtitle}</p>
      <div className={mayCreate ? "grid items-start gap-6 lg:grid-cols-[22rem_1fr]" : ""}>
        {mayCreate && <CreateListCard onCreated={(id) => navigate(LIST_PATHS.list(id))} />}
        <ListOverview client={client} />
      </div>
    </>
  );
}
