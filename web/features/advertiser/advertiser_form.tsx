import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import type { Profile } from "shared/http_api.ts";
import { type Advertiser, advertiserLine } from "shared/marketing.ts";
import { apiJson, readByKey } from "../../data/api_client.ts";
import { ADVERTISER } from "./text.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { DownloadButton } from "../../ui/download_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Field } from "../../ui/field.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { BEYOND_DUTY } from "../../text/duties.ts";
import { useMayDo } from "../../ui/may_do.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { advertiserProblem } from "./advertiser_problem.ts";

const KEY = ["/api/profile"];
const NOBODY: Advertiser = { name: "", address: "", phone: "", email: "", removalLink: false };

/**
 * Form for the advertiser in every marketing message, and the download of the consent evidence (of all clients for
 * administrators).
 */
export function AdvertiserForm({ isAdmin }: { isAdmin: boolean }) {
  const profile = useQuery({ queryKey: KEY, queryFn: readByKey<Profile>(), staleTime: 0 });
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();
  const isAskedFor = hash === "#advertiser";
  useEffect(() => {
    // Do not move the focus or the page of a person who is typing when this part arrives.
    if (!isAskedFor || document.activeElement?.matches("input, textarea, select")) return;
    heading.current?.scrollIntoView({ block: "start" });
    heading.current?.focus();
  }, [isAskedFor]);
  return (
    <section className="sheet p-5" aria-labelledby="advertiser">
      <h2 ref={heading} id="advertiser" tabIndex={-1} className="text-lg font-bold">{ADVERTISER.heading}</h2>
      <p className="mt-1 mb-4 text-sm text-ink-2">{ADVERTISER.why}</p>
      {profile.data
        ? <Fields saved={profile.data.advertiser ?? NOBODY} canLink={profile.data.linkOrigin !== null} />
        : profile.isError
        ? <FailedBox title={ADVERTISER.loadFailed} error={profile.error} onRetry={profile.refetch} />
        : <Skeleton text={ADVERTISER.heading} rows={4} />}
      <h3 className="mt-6 border-t border-base-300 pt-4 font-bold">{ADVERTISER.evidenceHeading}</h3>
      <p className="mt-1 mb-3 text-sm text-ink-2">
        {isAdmin ? ADVERTISER.evidenceOfAll : ADVERTISER.evidence}
      </p>
      <DownloadButton path="/api/consents.csv" fileName="consents.csv" className="btn-secondary btn-sm">
        {ADVERTISER.export}
      </DownloadButton>
    </section>
  );
}

function Fields({ saved, canLink }: { saved: Advertiser; canLink: boolean }) {
  const cache = useQueryClient();
  const [words, setWords] = useState(saved);
  const [tried, setTried] = useState(false);
  const maySave = useMayDo("owner");
  const save = useMutation({
    mutationFn: (advertiser: Advertiser) =>
      apiJson<Profile>("PUT", "/api/profile", { body: { ...advertiser } }),
    onSuccess: (profile) => {
      cache.setQueryData(KEY, profile);
      void cache.invalidateQueries({ queryKey: ["/api/campaigns"] });
      setTried(false);
      showToast({ title: ADVERTISER.savedTitle, description: ADVERTISER.saved, tone: "ok" });
    },
    onError: (error) => showFailure(ADVERTISER.failedTitle, error, ADVERTISER.failed),
  });
  const problem = tried ? advertiserProblem(words) : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (save.isPending || !maySave) return;
    setTried(true);
    const { field } = advertiserProblem(words) ?? {};
    if (field === undefined) save.mutate(words);
    else {document.getElementById("advertiser-form")?.querySelector<HTMLInputElement>(`[name=${field}]`)
        ?.focus();}
  }

  const fieldOf = (name: Exclude<keyof Advertiser, "removalLink">) => ({
    name,
    label: ADVERTISER[name],
    value: words[name],
    error: problem?.field === name ? problem.text : undefined,
    onChange: (value: string) => setWords({ ...words, [name]: value }),
    readOnly: !maySave,
  });
  return (
    <form id="advertiser-form" noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Field
        {...fieldOf("name")}
        maxLength={60}
        placeholder={ADVERTISER.namePlaceholder}
        autoComplete="organization"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          {...fieldOf("phone")}
          type="tel"
          dir="ltr"
          className="text-end"
          maxLength={20}
          autoComplete="tel"
        />
        <Field
          {...fieldOf("email")}
          type="email"
          dir="ltr"
          className="text-end"
          maxLength={100}
          autoComplete="email"
        />
      </div>
      <p className="-mt-3 text-xs text-ink-3">{ADVERTISER.contactHint}</p>
      <Field
        {...fieldOf("address")}
        hint={ADVERTISER.addressHint}
        placeholder={ADVERTISER.addressPlaceholder}
        maxLength={100}
        autoComplete="street-address"
      />
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="checkbox checkbox-sm mt-0.5"
          checked={words.removalLink}
          // A choice that no longer works can still be taken back.
          disabled={!canLink && !words.removalLink}
          aria-describedby="removal-link-hint"
          onChange={(event) => setWords({ ...words, removalLink: event.target.checked })}
        />
        <span>
          {ADVERTISER.removalLink}
          <span id="removal-link-hint" className="block text-xs text-ink-3">
            {canLink ? ADVERTISER.removalLinkHint : ADVERTISER.noLinks}
          </span>
        </span>
      </label>
      {advertiserLine(words) && (
        <div className="rounded-field bg-base-200 p-3">
          <div className="eyebrow mb-1">{ADVERTISER.line}</div>
          <div className="text-sm wrap-anywhere [unicode-bidi:plaintext]">{advertiserLine(words)}</div>
        </div>
      )}
      {maySave
        ? (
          <BusyButton
            type="submit"
            className="btn-primary self-start"
            busy={save.isPending}
            busyText={ADVERTISER.saving}
          >
            {ADVERTISER.save}
          </BusyButton>
        )
        : <p className="text-sm text-ink-2">{BEYOND_DUTY.advertiser}</p>}
    </form>
  );
}
