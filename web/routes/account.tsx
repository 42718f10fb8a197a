import { ArrowRight, KeyRound, KeySquare, MessageSquareText, ShieldAlert, Users, UserX } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, Route, Routes, useNavigate } from "react-router-dom";
import type { User } from "shared/http_api.ts";
import { ACCOUNT_PATHS } from "../account_paths.ts";
import { PasswordForm } from "../features/session/password_form.tsx";
import { SecondFactorCard } from "../features/session/second_factor_card.tsx";
import { SessionList } from "../features/session/session_list.tsx";
import { PATHS } from "../paths.ts";
import { ACCOUNT } from "../features/session/text/account.ts";
import { MESSAGES } from "../features/messages/text.ts";
import { KEYS } from "../features/api_keys/text.ts";
import { PEOPLE } from "../features/people/text.ts";
import { REMOVALS } from "../features/suppressions/text/removals.ts";
import { SECOND_FACTOR } from "../features/session/text/second_factor.ts";
import { BEYOND_DUTY, DUTY_NAMES } from "../text/duties.ts";
import { Notice } from "../ui/notice.tsx";
import { Num } from "../ui/num.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { lazyPart } from "../ui/lazy_part.tsx";
import { Screen as NotFound } from "./not_found.tsx";
import { Screen as Removals } from "./removals.tsx";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

const People = lazyPart(async () => (await import("./people.tsx")).Screen);
const Messages = lazyPart(async () => (await import("./messages.tsx")).Screen);
const ApiKeys = lazyPart(async () => (await import("./api_keys.tsx")).Screen);
const AdvertiserForm = lazyPart(async () =>
  (await import("../features/advertiser/advertiser_form.tsx")).AdvertiserForm
);

/** All screens below the account's path. */
export function Screen() {
  return (
    <Routes>
      <Route path="/" element={<Account />} />
      <Route path="removals" element={<Removals />} />
      <Route path="messages" element={<Messages />} />
      <Route path="people" element={<People />} />
      <Route path="keys" element={<ApiKeys />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

/** The user's own account: identity, advertiser profile, password, sessions. */
function Account() {
  usePageTitle(ACCOUNT.title);
  const { user } = useSignedIn();
  useHomeAfterFirstPassword(user);
  const isAdmin = user.role === "admin";
  // Calls of these parts are refused until the first password is changed, so they are hidden.
  const { firstPassword } = user;
  const owed = firstPassword
    ? { icon: KeyRound, lead: ACCOUNT.firstPasswordLead, body: ACCOUNT.firstPassword }
    : user.lacksSecondFactor
    ? { icon: ShieldAlert, lead: SECOND_FACTOR.requiredLead, body: SECOND_FACTOR.required }
    : null;
  return (
    <>
      <SignedInHeader />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        {owed
          ? <Notice tone="warn" {...owed} className="mb-4" />
          : (
            <Link to={isAdmin ? PATHS.admin : PATHS.client} className="btn btn-ghost btn-sm -ms-3 mb-3">
              <ArrowRight className="size-4" />
              {isAdmin ? ACCOUNT.toAdmin : ACCOUNT.toCampaigns}
            </Link>
          )}
        <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{ACCOUNT.heading}</h1>
        <p className="mt-1.5 mb-6 text-ink-2">
          <bdi className="font-semibold wrap-anywhere text-base-content">{user.username}</bdi> ·{" "}
          {user.colleague
            ? BEYOND_DUTY.inAccount(user.colleague.clientName, DUTY_NAMES[user.colleague.duty])
            : ACCOUNT.roles[user.role]}
          {!isAdmin && (
            <>
              {" · "}
              <Num>{user.messageQuota ?? 0}</Num> {ACCOUNT.quota}
            </>
          )}
        </p>
        {!isAdmin && !firstPassword && <RemovalsLink />}
        {!isAdmin && !firstPassword && <MessagesLink />}
        {!isAdmin && !firstPassword && !user.colleague && <PeopleLink />}
        {!firstPassword && !user.lacksSecondFactor && !user.colleague && <KeysLink />}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          {!firstPassword && !user.lacksSecondFactor && <AdvertiserForm isAdmin={isAdmin} />}
          <div className="grid gap-6">
            {!firstPassword && <SecondFactorCard username={user.username} />}
            <PasswordForm username={user.username} />
            {!firstPassword && <SessionList username={user.username} />}
          </div>
        </div>
      </main>
    </>
  );
}

/** Goes home once the first password was changed: it was the only reason to be here. */
function useHomeAfterFirstPassword({ firstPassword, lacksSecondFactor, role }: User): void {
  const navigate = useNavigate();
  const wasOwed = useRef(firstPassword);
  useEffect(() => {
    if (wasOwed.current && !firstPassword && !lacksSecondFactor) {
      navigate(role === "admin" ? PATHS.admin : PATHS.client, { replace: true });
    }
    wasOwed.current = firstPassword;
  }, [firstPassword]);
}

function PeopleLink() {
  return (
    <section className="sheet mb-6 flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      <div className="min-w-0 grow basis-64">
        <h2 className="text-lg font-bold">{PEOPLE.heading}</h2>
        <p className="text-sm text-ink-2">{PEOPLE.linkMeaning}</p>
      </div>
      <Link to={ACCOUNT_PATHS.people} className="btn btn-secondary btn-sm">
        <Users className="size-4" />
        {PEOPLE.link}
      </Link>
    </section>
  );
}

function KeysLink() {
  return (
    <section className="sheet mb-6 flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      <div className="min-w-0 grow basis-64">
        <h2 className="text-lg font-bold">{KEYS.heading}</h2>
        <p className="text-sm text-ink-2">{KEYS.linkMeaning}</p>
      </div>
      <Link to={ACCOUNT_PATHS.keys} className="btn btn-secondary btn-sm">
        <KeySquare className="size-4" />
        {KEYS.link}
      </Link>
    </section>
  );
}

function MessagesLink() {
  return (
    <section className="sheet mb-6 flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      <div className="min-w-0 grow basis-64">
        <h2 className="text-lg font-bold">{MESSAGES.heading}</h2>
        <p className="text-sm text-ink-2">{MESSAGES.linkMeaning}</p>
      </div>
      <Link to={ACCOUNT_PATHS.messages} className="btn btn-secondary btn-sm">
        <MessageSquareText className="size-4" />
        {MESSAGES.link}
      </Link>
    </section>
  );
}

function RemovalsLink() {
  return (
    <section className="sheet mb-6 flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      <div className="min-w-0 grow basis-64">
        <h2 className="text-lg font-bold">{REMOVALS.heading}</h2>
        <p className="text-sm text-ink-2">{REMOVALS.linkMeaning}</p>
      </div>
      <Link to={ACCOUNT_PATHS.removals} className="btn btn-secondary btn-sm">
        <UserX className="size-4" />
        {REMOVALS.link}
      </Link>
    </section>
  );
}
