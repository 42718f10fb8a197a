import { ArrowRight } from "lucide-react";
import { Link, Navigate } from "react-router-dom";
import { ProofDialogs } from "../features/session/proof_dialog.tsx";
import { MakeWebhookCard } from "../features/webhooks/make_webhook_card.tsx";
import { WEBHOOKS } from "../features/webhooks/text.ts";
import { WebhookList } from "../features/webhooks/webhook_list.tsx";
import { PATHS } from "../paths.ts";
import { usePageTitle } from "../ui/page_title.ts";
import { useNow } from "../ui/use_now.ts";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

const MINUTE_MS = 60_000;

/** The webhooks of a client's owner, or of an administrator. */
export function Screen() {
  usePageTitle(WEBHOOKS.title);
  const now = useNow(MINUTE_MS);
  const { user } = useSignedIn();
  if (user.colleague) return <Navigate to={PATHS.account} replace />;
  const isAdmin = user.role === "admin";
  return (
    <>
      <SignedInHeader />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Link to={PATHS.account} className="btn btn-ghost btn-sm -ms-3 mb-3">
          <ArrowRight className="size-4" />
          {WEBHOOKS.back}
        </Link>
        <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{WEBHOOKS.heading}</h1>
        <p className="mt-1.5 mb-6 max-w-prose text-ink-2">
          {WEBHOOKS.subtitle} <a href="/developers#webhooks" className="link">{WEBHOOKS.developers}</a>
        </p>
        <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
          <WebhookList isAdmin={isAdmin} now={now} />
          <MakeWebhookCard isAdmin={isAdmin} />
        </div>
      </main>
      <ProofDialogs user={user} />
    </>
  );
}
