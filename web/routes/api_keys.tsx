import { ArrowRight } from "lucide-react";
import { Link, Navigate } from "react-router-dom";
import { KeyList } from "../features/api_keys/key_list.tsx";
import { MakeKeyCard } from "../features/api_keys/make_key_card.tsx";
import { KEYS } from "../features/api_keys/text.ts";
import { ProofDialogs } from "../features/session/proof_dialog.tsx";
import { PATHS } from "../paths.ts";
import { usePageTitle } from "../ui/page_title.ts";
import { useNow } from "../ui/use_now.ts";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

const MINUTE_MS = 60_000;

/** The API keys of a client's owner, or of an administrator. */
export function Screen() {
  usePageTitle(KEYS.title);
  const now = useNow(MINUTE_MS);
  const { user } = useSignedIn();
  if (user.colleague) return <Navigate to={PATHS.account} replace />;
  return (
    <>
      <SignedInHeader />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Link to={PATHS.account} className="btn btn-ghost btn-sm -ms-3 mb-3">
          <ArrowRight className="size-4" />
          {KEYS.back}
        </Link>
        <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{KEYS.heading}</h1>
        <p className="mt-1.5 mb-6 max-w-prose text-ink-2">
          {KEYS.subtitle} <a href="/developers" className="link">{KEYS.developers}</a>
        </p>
        <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
          <KeyList now={now} />
          <MakeKeyCard isAdmin={user.role === "admin"} />
        </div>
      </main>
      <ProofDialogs user={user} />
    </>
  );
}
