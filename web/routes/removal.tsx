import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Link2Off } from "lucide-react";
import { useEffect, useRef } from "react";
import { useParams } from "react-router-dom";
import type { RemovalPage } from "shared/removal_link.ts";
import { ApiError, apiJson, readByKey } from "../data/api_client.ts";
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
  const queryKey = ["/api/removals", token];
  const page = useQuery({ queryKey, queryFn: readByKey<RemovalPage>(), retry: false });
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: () => apiJson<RemovalPage>("POST", `/api/removals/${token}`),
    onSuccess: (removed) => cache.setQueryData(queryKey, removed),
  });
  const isOver = isLinkOver(page.error) || isLinkOver(remove.error);
  return (
    <div className="mx-auto flex min-h-dvh max-w-md flex-col px-4 py-6">
      <Wordmark size="header" />
      <main className="my-auto py-10">
        {isOver
          ? (
            <Outcome icon={Link2Off} title={REMOVAL.over}>
              <p className="mt-2 text-ink-2">{REMOVAL.overBody}</p>
            </Outcome>
          )
          : page.data?.isRemoved
          ? (
            <Outcome icon={Check} title={REMOVAL.done}>
              <SenderLine {...REMOVAL.doneBody(page.data.sender)} />
            </Outcome>
          )
          : (
            <>
              <h1 className="text-2xl font-extrabold tracking-tight">{REMOVAL.title}</h1>
              {page.data
                ? (
                  <>
                    <SenderLine {...REMOVAL.wrote(page.data.sender)}>
                      <Phone e164={page.data.phone} />.
                    </SenderLine>
                    <p className="mt-2 text-ink-2">{REMOVAL.what}</p>
                    {remove.error && (
                      <p role="alert" className="tone-bad mt-4 text-sm font-semibold text-tone">
                        {REMOVAL.notRemoved}. {errorText(remove.error, "")}
                      </p>
                    )}
                    <BusyButton
                      className="btn-primary mt-6 w-full sm:w-auto"
                      busy={remove.isPending}
                      busyText={REMOVAL.removing}
                      onClick={() => remove.mutate()}
                    >
                      {REMOVAL.remove}
                    </BusyButton>
                  </>
                )
                : page.isError
                ? <FailedBox title={REMOVAL.failed} error={page.error} onRetry={page.refetch} />
                : <Skeleton text={REMOVAL.loading} rows={3} />}
            </>
          )}
      </main>
    </div>
  );
}

interface SenderLineProps {
  before: string;
  sender: string;
  after: string;
  children?: React.ReactNode;
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
  children: React.ReactNode;
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

function isLinkOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === "removal_link_over";
}
