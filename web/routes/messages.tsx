import { ArrowRight } from "lucide-react";
import { Link, Navigate } from "react-router-dom";
import { MessageList } from "../features/messages/message_list.tsx";
import { MESSAGES } from "../features/messages/text.ts";
import { PATHS } from "../paths.ts";
import { usePageTitle } from "../ui/page_title.ts";
import { useNow } from "../ui/use_now.ts";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

const MINUTE_MS = 60_000;

/** A client's messages by call. */
export function Screen() {
  usePageTitle(MESSAGES.title);
  const now = useNow(MINUTE_MS);
  if (useSignedIn().user.role === "admin") return <Navigate to={PATHS.account} replace />;
  return (
    <>
      <SignedInHeader />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Link to={PATHS.account} className="btn btn-ghost btn-sm -ms-3 mb-3">
          <ArrowRight className="size-4" />
          {MESSAGES.back}
        </Link>
        <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{MESSAGES.heading}</h1>
        <p className="mt-1.5 mb-6 max-w-prose text-ink-2">
          {MESSAGES.subtitle} <a href="/developers" className="link">{MESSAGES.developers}</a>
        </p>
        <MessageList now={now} />
      </main>
    </>
  );
}
