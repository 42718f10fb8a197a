import { Check, Link2Off } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useParams } from "react-router-dom";
import { REMOVAL_API } from "shared/removal_address.ts";
import type { RemovalPage } from "shared/removal_link.ts";
import { ApiError, apiJson } from "../data/api_client.ts";
import { errorText } from "../text/error_text.ts";
import { BusyButton } from "../ui/busy_button.tsx";
import { FailedBox } from "../ui/failed_box.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { Phone } from "../ui/phone.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Wordmark } from "../ui/wordmark.tsx";
import { REMOVAL } from "./removal_text.ts";

/** A recipient's own page, from the link in a message: nothing happens before they press. */
export function Screen() {
  usePageTitle(REMOVAL.title);
  const { token = "" } = useParams();
  const { page, failure, isRemoving, ask } = useRemoval(token);
  const isOver = failure instanceof ApiError && failure.code === "removal_link_over";
  return (
    <div className="mx-auto flex min-h-dvh max-w-md flex-col px-4 py-6">
      <header>
        <Wordmark size="header" />
      </header>
      <main className="my-auto py-10">
        {isOver
          ? (
            <Outcome icon={Link2Off} title={REMOVAL.over}>
              <p className="mt-2 text-ink-2">{REMOVAL.overBody}</p>
            </Outcome>
          )
          : page?.isRemoved
          ? (
            <Outcome icon={Check} title={REMOVAL.done}>
              <SenderLine {...REMOVAL.doneBody(page.sender)} />
            </Outcome>
          )
          : (
            <>
              <h1 className="text-2xl font-extrabold tracking-tight">{REMOVAL.title}</h1>
              {page
                ? (
                  <>
                    <SenderLine {...REMOVAL.wrote(page.sender)}>
                      <Phone e164={page.phone} />.
                    </SenderLine>
                    <p className="mt-2 text-ink-2">{REMOVAL.what}</p>
                    {failure !== null && (
                      <p role="alert" className="tone-bad mt-4 text-sm font-semibold text-tone">
                        {REMOVAL.notRemoved}. {errorText(failure, "")}
                      </p>
                    )}
                    <BusyButton
                      className="btn-primary mt-6 w-full sm:w-auto"
                      busy={isRemoving}
                      busyText={REMOVAL.removing}
                      onClick={() => void ask("POST")}
                    >
                      {REMOVAL.remove}
                    </BusyButton>
                  </>
                )
                : failure !== null
                ? <FailedBox title={REMOVAL.failed} error={failure} onRetry={() => ask("GET")} />
                : <Skeleton text={REMOVAL.loading} rows={3} />}
            </>
          )}
      </main>
    </div>
  );
}

/** What the server said of a link. Visitors load no cache of queries. */
function useRemoval(token: string) {
  const [page, setPage] = useState<RemovalPage | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isRemoving, setRemoving] = useState(false);

  async function ask(method: "GET" | "POST") {
    setRemoving(method === "POST");
    try {
      setPage(await apiJson<RemovalPage>(method, `${REMOVAL_API}${token}`));
      setFailure(null);
    } catch (error) {
      setFailure(error);
    }
    setRemoving(false);
  }

  useEffect(() => void ask("GET"), [token]);
  return { page, failure, isRemoving, ask };
}

interface SenderLineProps {
  before: string;
  sender: string;
  after: string;
  children?: ReactNode;
}

function SenderLine({ before, sender, after, children }: SenderLineProps) {
  return (
    <p className="mt-3 text-ink-2 wrap-anywhere">
      {before}
      <bdi className="font-bold text-ink">{sender}</bdi>
      {after}
      {children}
    </p>
  );
}

interface OutcomeProps {
  icon: typeof Check;
  title: string;
  children: ReactNode;
}

/** How it ended; takes the focus, so that a screen reader says it. */
function Outcome({ icon: Icon, title, children }: OutcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <Icon className="size-8 text-ink-2" aria-hidden="true" />
      <h1 ref={heading} tabIndex={-1} className="mt-3 text-2xl font-extrabold tracking-tight">{title}</h1>
      {children}
    </>
  );
}
