import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowRight, ChartNoAxesColumn, CircleCheck, PencilLine, SearchX } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router-dom";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { DeliveryState } from "shared/delivery.ts";
import type { Campaign } from "shared/http_api.ts";
import { AdvertPreview, ProfileLink } from "../features/campaigns/advert_preview.tsx";
import { CampaignActs } from "../features/campaigns/campaign_acts.tsx";
import { CampaignMark } from "../features/campaigns/campaign_mark.tsx";
import { CampaignNotices } from "../features/campaigns/campaign_notices.tsx";
import {
  beginEdit,
  type CampaignDraft,
  draftKey,
  readCampaignDraft,
} from "../features/campaigns/draft_store.ts";
import { EditForm } from "../features/campaigns/edit_form.tsx";
import { campaignQuery, isMissing } from "../features/campaigns/get_campaign.ts";
import { campaignsQuery } from "../features/campaigns/get_campaigns.ts";
import { asksForFields, isPersonalMessage, useRowInView } from "../features/campaigns/get_personal.ts";
import { isRunning } from "../features/campaigns/is_running.ts";
import { MessageBubble } from "../features/campaigns/message_bubble.tsx";
import { OwnerActs } from "../features/campaigns/owner_acts.tsx";
import { ProgressSheet } from "../features/campaigns/progress_sheet.tsx";
import { RemoveContacts } from "../features/campaigns/remove_contacts.tsx";
import { WaitingSends } from "../features/campaigns/waiting_sends.tsx";
import { WaitingNotice } from "../features/campaigns/waiting_notice.tsx";
import { ContactsStep } from "../features/contacts/contacts_step.tsx";
import { DeliveryTable } from "../features/deliveries/delivery_table.tsx";
import { ResolveDialog } from "../features/deliveries/resolve_dialog.tsx";
import { StateFilter } from "../features/deliveries/state_filter.tsx";
import { TestDialog, type TestDialogProps } from "../features/deliveries/test_dialog.tsx";
import { ACCOUNT_PATHS } from "../account_paths.ts";
import { PATHS } from "../paths.ts";
import { REPORT_PATHS } from "../report_paths.ts";
import { CAMPAIGN } from "../features/campaigns/text/campaign.ts";
import { DETAIL } from "../text/campaign_detail.ts";
import { CREATE } from "../features/campaigns/text/client_home.ts";
import { resolveButton } from "../features/deliveries/text/deliveries.ts";
import { formatMoment } from "../text/format.ts";
import { KIND_LABELS } from "../features/campaigns/text/kind_labels.ts";
import { AGAIN } from "../features/campaigns/text/again.ts";
import { OWNER_ACTS } from "../features/campaigns/text/owner_acts.ts";
import { waitingSentence } from "../features/replies/text.ts";
import { optedOutSentence } from "../features/suppressions/text/removals.ts";
import { FailedBox } from "../ui/failed_box.tsx";
import { lazyPart } from "../ui/lazy_part.tsx";
import { Loading } from "../ui/loading.tsx";
import { Num } from "../ui/num.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { useStoredDraft } from "../ui/use_stored_draft.ts";
import { useNow } from "../ui/use_now.ts";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

const QUIET = { isQuiet: true };
const LiveNotice = lazyPart(async () => (await import("./live_notice.tsx")).LiveNotice, {
  ...QUIET,
  isEarly: true,
});
const DraftNotice = lazyPart(async () => (await import("../ui/draft_notice.tsx")).DraftNotice, QUIET);
const UnsentAgain = lazyPart(
  async () => (await import("../features/campaigns/unsent_again.tsx")).UnsentAgain,
  QUIET,
);
const PersonalPreview = lazyPart(
  async () => (await import("../features/campaigns/personal_preview.tsx")).PersonalPreview,
);
const SaveMessage = lazyPart(
  async () => (await import("../features/campaigns/save_message.tsx")).SaveMessage,
  QUIET,
);
const TextsForm = lazyPart(
  async () => (await import("../features/campaigns/texts_form.tsx")).TextsForm,
  QUIET,
);
const TextsResults = lazyPart(
  async () => (await import("../features/campaigns/texts_results.tsx")).TextsResults,
  QUIET,
);
const TakeButton = lazyPart(
  async () => (await import("../features/lists/take_button.tsx")).TakeButton,
  QUIET,
);
const CLOCK_STEP_MS = 60_000;

/** One campaign: progress, reasons for its state, and every recipient with state and reason. */
export function Screen() {
  const { user } = useSignedIn();
  const id = Number(useParams().id);
  return (
    <>
      <SignedInHeader
        middle={
          <span className="hidden text-sm text-ink-2 sm:inline">
            {DETAIL.quota}{" "}
            <b className="text-neutral-content">
              <Num>{user.messageQuota ?? 0}</Num>
            </b>
          </span>
        }
      />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Link to={PATHS.client} className="btn btn-ghost btn-sm -ms-3 mb-3">
          <ArrowRight className="size-4" />
          {DETAIL.back}
        </Link>
        {Number.isSafeInteger(id) ? <LoadedById key={id} id={id} /> : <Missing />}
      </main>
    </>
  );
}

function LoadedById({ id }: { id: number }) {
  const campaign = useQuery(campaignQuery(id));
  if (isMissing(campaign.error)) return <Missing />;
  return (
    <>
      <LiveNotice query={campaign} />
      {campaign.data ? <Loaded campaign={campaign.data} /> : campaign.isError
        ? (
          <FailedBox
            title={DETAIL.failed}
            error={campaign.error}
            fallback={CAMPAIGN.fetchFailed}
            onRetry={campaign.refetch}
          />
        )
        : <Loading text={DETAIL.loading} />}
    </>
  );
}

function Missing() {
  usePageTitle(DETAIL.missing);
  return (
    <div className="grid justify-items-center gap-2 py-20 text-center">
      <SearchX className="size-8 text-ink-3" />
      <h1 className="text-2xl font-extrabold">{DETAIL.missing}</h1>
      <p className="text-ink-2">{DETAIL.missingHint}</p>
    </div>
  );
}

function Loaded({ campaign }: { campaign: Campaign }) {
  usePageTitle(DETAIL.title(campaign.name));
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const [typed, changeTyped, elsewhere] = useStoredDraft(
    draftKey(user.id, campaign.id),
    readCampaignDraft,
  );
  const [state, setState] = useState<DeliveryState>();
  const [resolving, setResolving] = useState<{ ids: number[] | "all"; count: number }>();
  const { hash } = useLocation();
  const [isTesting, setTesting] = useState(false);
  const { id, counts, totalContacts, notices, status, completedAt } = campaign;
  const isEditable = EDITABLE_STATUSES.includes(status);

  useEffect(() => {
    // From the review of a send.
    if (isEditable && hash && PATHS.test(id).endsWith(hash)) setTesting(true);
  }, [id, hash]);

  // Once it has ended, UnsentAgain names who was left out.
  const told = notices.filter(({ code }) => code !== "left_out_empty" || completedAt === null);

  function actionFor(code: string): ReactNode {
    if (code === "advertiser_missing" || code === "no_online_refusal") return <ProfileLink />;
    if (code !== "unknown_deliveries" || counts.unknown === 0) return undefined;
    return (
      <button
        type="button"
        className="btn btn-sm btn-secondary"
        onClick={() => setResolving({ ids: "all", count: counts.unknown })}
      >
        {resolveButton(counts.unknown)}
      </button>
    );
  }

  return (
    <>
      <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-3">
            <h1 className="text-2xl font-extrabold tracking-tight wrap-anywhere sm:text-3xl">
              {campaign.name}
            </h1>
            <CampaignMark {...campaign} />
          </div>
          <Facts campaign={campaign} />
          <Answers campaign={campaign} />
        </div>
        <div className="flex flex-wrap gap-2">
          <CampaignActs
            campaign={campaign}
            isHeld={user.role !== "admin" && notices.some(({ code }) => code === "paused_by_admin")}
          >
            {campaign.startedAt !== null && (
              <Link to={REPORT_PATHS.report(id)} className="btn btn-ghost border-base-300">
                <ChartNoAxesColumn className="size-4" />
                {DETAIL.report}
              </Link>
            )}
            <OwnerActs
              campaign={campaign}
              onTest={() => setTesting(true)}
              onDuplicated={(copy) => navigate(PATHS.campaign(copy.id))}
              onDeleted={() => navigate(PATHS.client)}
            />
          </CampaignActs>
        </div>
      </div>
      <UnsentAgain campaign={campaign} onMade={(copy) => navigate(PATHS.campaign(copy.id))} />
      {isEditable && <DraftNotice elsewhere={elsewhere} />}
      {status === "completed" && (
        <div className="notice tone-ok mb-4" role="status">
          <CircleCheck />
          <b>{DETAIL.completed}</b>
        </div>
      )}
      <WaitingSends campaigns={[campaign]} />
      <ProgressSheet campaign={campaign} quota={user.messageQuota ?? 0}>
        <StateFilter counts={counts} chosen={state} onChoose={setState} />
      </ProgressSheet>
      <CampaignNotices notices={told} most={2} actionFor={({ code }) => actionFor(code)} />
      {(campaign.texts ?? 1) > 1 && <TextsResults campaign={campaign} isOwner />}
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
        <div className="grid min-w-0 gap-3">
          <Words
            key={String(isEditable)}
            campaign={campaign}
            typed={typed}
            changeTyped={changeTyped}
            isEditable={isEditable}
          />
          {isEditable && totalContacts > 1 && <TextsForm campaign={campaign} />}
        </div>
        <div className="grid min-w-0 gap-3">
          {isEditable && (
            <AddContacts
              campaign={campaign}
              numbers={typed.numbers}
              onNumbers={(numbers) => changeTyped({ numbers })}
            />
          )}
          <DeliveryTable
            campaignId={id}
            total={totalContacts}
            state={state}
            audience={user.role}
            isUnsent={isEditable}
            isMoving={isRunning(status) || status === "paused" || counts.leased > 0}
            onResolve={(delivery) => setResolving({ ids: [delivery.id], count: 1 })}
          />
          {isEditable && totalContacts > 0 && <RemoveContacts campaign={campaign} />}
        </div>
      </div>
      {resolving && <ResolveDialog campaignId={id} {...resolving} onClose={() => setResolving(undefined)} />}
      {isTesting && (
        <TestOf
          campaign={campaign}
          userId={user.id}
          campaignId={id}
          waitingNotice={(test) => <WaitingNotice campaignId={test} />}
          onClose={() => {
            setTesting(false);
            if (hash) navigate(PATHS.campaign(id), { replace: true });
          }}
        />
      )}
    </>
  );
}

/** The test to oneself; a personal message takes the values of the recipient in view. */
function TestOf({ campaign, ...rest }: { campaign: Campaign } & Omit<TestDialogProps, "row">) {
  return asksForFields(campaign.message)
    ? <PersonalTest campaign={campaign} {...rest} />
    : <TestDialog {...rest} />;
}

function PersonalTest({ campaign, ...rest }: Parameters<typeof TestOf>[0]) {
  const { row } = useRowInView(campaign);
  return <TestDialog {...rest} row={row} />;
}

/** Replies of recipients that ask for removal or may. */
function Answers({ campaign }: { campaign: Campaign }) {
  const { optedOutCount, waitingReplies: waiting = 0 } = campaign;
  const answers = [
    optedOutCount > 0 && optedOutSentence(optedOutCount),
    waiting > 0 && waitingSentence(waiting),
  ].filter((answer) => answer !== false);
  if (answers.length === 0) return null;
  return (
    <Link to={ACCOUNT_PATHS.removals} className="link mt-1 inline-block text-sm">
      {answers.join(" · ")}
    </Link>
  );
}

function Facts({ campaign }: { campaign: Campaign }) {
  const now = useNow(CLOCK_STEP_MS);
  const facts = [
    KIND_LABELS[campaign.kind],
    campaign.totalContacts > 0 && DETAIL.contacts(campaign.totalContacts),
    campaign.startedAt === null
      ? DETAIL.createdAt(formatMoment(campaign.createdAt, now))
      : DETAIL.startedAt(formatMoment(campaign.startedAt, now)),
  ];
  const againOf = campaign.againOf ?? null;
  return (
    <p className="mt-1.5 text-sm text-ink-2">
      {facts.filter(Boolean).join(" · ")}
      {againOf !== null && (
        <>
          {" · "}
          <Link to={PATHS.campaign(againOf)} className="link">{AGAIN.againOf}</Link>
        </>
      )}
    </p>
  );
}

interface WordsProps {
  campaign: Campaign;
  typed: CampaignDraft;
  changeTyped: (changes: Partial<CampaignDraft>) => void;
  isEditable: boolean;
}

/** The message as it will be sent; before the send it can be edited. */
function Words({ campaign, typed, changeTyped, isEditable }: WordsProps) {
  const { message, kind, composed, imageUrl } = campaign;
  const image = imageUrl === null ? undefined : { url: imageUrl, label: DETAIL.image };
  const edit = isEditable ? typed.edit : null;
  return (
    <section className="sheet min-w-0 p-5" aria-labelledby="msg-h">
      <div className="mb-3 flex min-h-8 items-center justify-between gap-3">
        <h2 id="msg-h" className="me-auto font-bold">{DETAIL.message}</h2>
        {!edit && <SaveMessage campaign={campaign} />}
        {isEditable && !edit && (
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            onClick={() => changeTyped({ edit: beginEdit(campaign) })}
          >
            <PencilLine className="size-4" />
            {CREATE.edit}
          </button>
        )}
      </div>
      {edit
        ? <EditForm campaign={campaign} words={edit} onWords={(words) => changeTyped({ edit: words })} />
        : isPersonalMessage(message)
        ? <PersonalPreview campaign={campaign} image={image} />
        : (
          <div className="rounded-field bg-base-200 p-3">
            {isEditable && kind === "marketing"
              ? <AdvertPreview message={message} image={image} />
              : <MessageBubble message={composed ?? message} image={image} />}
          </div>
        )}
    </section>
  );
}

/** The imports so far, and the fields for another one: in the wide column, because they are what a draft waits for. */
function AddContacts(
  { campaign: { id, kind, totalContacts }, numbers, onNumbers }: {
    campaign: Campaign;
    numbers: string;
    onNumbers: (numbers: string) => void;
  },
) {
  const cache = useQueryClient();
  const campaigns = useQuery(campaignsQuery);
  return (
    <section className="sheet min-w-0 p-5" aria-labelledby="add-h">
      <h2 id="add-h" className="mb-3 font-bold">{OWNER_ACTS.addContacts}</h2>
      <ContactsStep
        campaignId={id}
        kind={kind}
        total={totalContacts}
        numbers={numbers}
        onNumbers={onNumbers}
        onAdded={() => void cache.invalidateQueries({ queryKey: campaignsQuery.queryKey })}
      />
      <TakeButton
        campaignId={id}
        kind={kind}
        campaigns={(campaigns.data ?? []).filter(({ startedAt }) => startedAt !== null)}
        onTaken={() => void cache.invalidateQueries({ queryKey: campaignsQuery.queryKey })}
      />
    </section>
  );
}
