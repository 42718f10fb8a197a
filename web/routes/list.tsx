import { useQuery } from "@tanstack/react-query";
import { ArrowRight, SearchX } from "lucide-react";
import { Link, useNavigate, useParams } from "react-router-dom";
import type { OneList } from "shared/lists_api.ts";
import { campaignsQuery } from "../features/campaigns/get_campaigns.ts";
import { AddPanel } from "../features/lists/add_panel.tsx";
import { ContactList } from "../features/lists/contact_list.tsx";
import { isMissingList, listQuery } from "../features/lists/get_lists.ts";
import { ListActs } from "../features/lists/list_acts.tsx";
import { ListSize } from "../features/lists/list_overview.tsx";
import { MaskedView } from "../features/lists/masked_view.tsx";
import { LISTS } from "../features/lists/text.ts";
import { LIST_PATHS } from "../list_paths.ts";
import { FailedBox } from "../ui/failed_box.tsx";
import { Loading } from "../ui/loading.tsx";
import { lazyPart } from "../ui/lazy_part.tsx";
import { useMayDo } from "../ui/may_do.ts";
import { usePageTitle } from "../ui/page_title.ts";
import { useSignedIn } from "./signed_in_context.ts";

const ListColumns = lazyPart(async () => (await import("../features/contacts/list_columns.tsx")).ListColumns);

/** One list: its contacts, and the ways to add some. */
export function ListScreen() {
  const id = Number(useParams().id);
  return Number.isSafeInteger(id) ? <LoadedById key={id} id={id} /> : <Missing />;
}

function LoadedById({ id }: { id: number }) {
  const list = useQuery(listQuery(id));
  if (isMissingList(list.error)) return <Missing />;
  if (list.data) return <Loaded list={list.data} />;
  if (list.isError) return <FailedBox title={LISTS.failed} error={list.error} onRetry={list.refetch} />;
  return <Loading text={LISTS.loadingOne} />;
}

function Back({ client }: { client?: number }) {
  return (
    <Link
      to={client === undefined ? LIST_PATHS.all : LIST_PATHS.ofClient(client)}
      className="btn btn-ghost btn-sm -ms-3 mb-3"
    >
      <ArrowRight className="size-4" />
      {LISTS.backToLists}
    </Link>
  );
}

function Missing() {
  usePageTitle(LISTS.missing);
  return (
    <>
      <Back />
      <div className="grid justify-items-center gap-2 py-20 text-center">
        <SearchX className="size-8 text-ink-3" />
        <h1 className="text-2xl font-extrabold">{LISTS.missing}</h1>
        <p className="text-ink-2">{LISTS.missingHint}</p>
      </div>
    </>
  );
}

function Loaded({ list }: { list: OneList }) {
  usePageTitle(LISTS.titleOf(list.name));
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const isOwn = list.client === (user.colleague?.client ?? user.id);
  const mayChange = useMayDo("writer") && isOwn;
  const campaigns = useQuery({ ...campaignsQuery, enabled: isOwn });
  const sent = (campaigns.data ?? []).filter(({ startedAt }) => startedAt !== null);
  return (
    <>
      <Back client={isOwn ? undefined : list.client} />
      <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-extrabold tracking-tight wrap-anywhere sm:text-3xl">{list.name}</h1>
          <div className="mt-2">
            <ListSize size={list.size} />
          </div>
        </div>
        {mayChange && <ListActs list={list} onRemoved={() => navigate(LIST_PATHS.all)} />}
      </div>
      <div className={mayChange ? "grid items-start gap-6 lg:grid-cols-[22rem_1fr]" : "grid gap-4"}>
        {mayChange && <AddPanel list={list} campaigns={sent} Columns={ListColumns} />}
        {!isOwn && <MaskedView list={list} />}
        <ContactList list={list} mayChange={mayChange} />
      </div>
    </>
  );
}
