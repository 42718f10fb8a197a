import { Link2Off } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import type { Offered } from "shared/people_api.ts";
import { apiJson } from "../data/api_client.ts";
import { JoinForm } from "../features/people/join_form.tsx";
import { JOIN } from "../features/people/text.ts";
import { PATHS } from "../paths.ts";
import { errorText } from "../text/error_text.ts";
import { Loading } from "../ui/loading.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { showToast } from "../ui/toast_store.ts";
import { Wordmark } from "../ui/wordmark.tsx";

/** The page of an invitation's link: the account that it opens, and the new person's name and password. */
export function Screen() {
  usePageTitle(JOIN.title);
  const navigate = useNavigate();
  const token = useLocation().hash.slice(1);
  const [offer, setOffer] = useState<Offered>();
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    const left = new AbortController();
    apiJson<Offered>("POST", "/api/join/look", { body: { token }, signal: left.signal }).then(
      setOffer,
      (error) => left.signal.aborted || setRefusal(errorText(error, JOIN.failed)),
    );
    return () => left.abort();
  }, [token]);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center px-4 py-10">
      <div className="mb-8">
        <Wordmark size="large" />
      </div>
      <h1 className="text-3xl font-extrabold tracking-tight">{JOIN.heading}</h1>
      {offer
        ? (
          <>
            <p className="mt-2 text-ink-2 wrap-anywhere">{JOIN.offer(offer.clientName)}</p>
            <JoinForm
              token={token}
              offer={offer}
              onJoined={() => {
                showToast({ title: JOIN.joinedTitle, description: JOIN.joined, tone: "ok" });
                // The used link must not stay behind the browser's back button.
                navigate(PATHS.login, { replace: true });
              }}
            />
          </>
        )
        : refusal
        ? (
          <div className="mt-6 flex flex-col items-start gap-3" role="alert">
            <p className="flex items-center gap-2 font-bold">
              <Link2Off className="size-5" />
              {JOIN.over}
            </p>
            <p className="text-ink-2">{refusal}</p>
            <Link to={PATHS.login} className="btn btn-secondary">{JOIN.toLogin}</Link>
          </div>
        )
        : <Loading text={JOIN.loading} />}
    </main>
  );
}
