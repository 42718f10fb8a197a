import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import type { RecipientGroup, RecipientGroups } from "shared/again_api.ts";
import type { Campaign } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { campaignQuery } from "./get_campaign.ts";
import { campaignsQuery } from "./get_campaigns.ts";
import { AGAIN, groupCount, groupLabel } from "./text/again.ts";
import { OWNER_ACTS } from "./text/owner_acts.ts";

type Counted = RecipientGroups["groups"][number];

function groupsQuery(id: number) {
  return queryOptions({
    queryKey: ["/api/campaigns", id, "write-again"],
    queryFn: ({ signal }) => apiJson<RecipientGroups>("GET", `/api/campaigns/${id}/write-again`, { signal }),
    staleTime: 0,
  });
}

const keyOf = ({ state, reason }: RecipientGroup) => `${state} ${reason ?? ""}`;

/** What is ticked at first: who may get the message now, and surely does not have it. */
function isUsual({ state, reason }: RecipientGroup): boolean {
  return (state === "failed" && reason !== "not_on_app") || state === "cancelled";
}

interface WriteAgainProps {
  campaign: Pick<Campaign, "id">;
  className: string;
  onMade: (draft: Campaign) => void;
}

/** The button that asks to whom to write again; nothing is sent by it. */
export function WriteAgain({ campaign, className, onMade }: WriteAgainProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={`btn ${className}`} onClick={() => setOpen(true)}>
        <RotateCw className="size-4" />
        {AGAIN.open}
      </button>
      {isOpen && <WriteAgainDialog id={campaign.id} onMade={onMade} onClose={() => setOpen(false)} />}
    </>
  );
}

interface WriteAgainDialogProps {
  id: number;
  onMade: (draft: Campaign) => void;
  onClose: () => void;
}

function WriteAgainDialog({ id, onMade, onClose }: WriteAgainDialogProps) {
  const cache = useQueryClient();
  const query = useQuery(groupsQuery(id));
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [confirms, setConfirms] = useState(false);
  const [tried, setTried] = useState(false);
  const groups = query.data?.groups ?? [];
  const isChosen = (group: RecipientGroup) => changed.get(keyOf(group)) ?? isUsual(group);
  const chosen = groups.filter(isChosen);
  const count = chosen.reduce((sum, group) => sum + group.count, 0);
  const hasUnknown = chosen.some(({ state }) => state === "unknown");
  const make = useMutation({
    mutationFn: () =>
      apiJson<Campaign>("POST", `/api/campaigns/${id}/write-again`, {
        body: {
          groups: chosen.map(({ state, reason }) => ({ state, reason })),
          confirmsUnknown: hasUnknown && confirms,
        },
      }),
    onSuccess: (draft) => {
      cache.setQueryData(campaignQuery(draft.id).queryKey, draft);
      showToast({
        title: OWNER_ACTS.duplicatedTitle,
        description: OWNER_ACTS.duplicated(draft.totalContacts),
        tone: "ok",
      });
      onClose();
      onMade(draft);
      return cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true });
    },
    onError: (error) => showFailure(AGAIN.failedTitle, error, AGAIN.nothingChanged),
  });

  function submit() {
    setTried(true);
    if (count > 0 && (!hasUnknown || confirms)) make.mutate();
  }

  const problem = !tried
    ? null
    : count === 0
    ? AGAIN.none
    : hasUnknown && !confirms
    ? AGAIN.unconfirmed
    : null;
  return (
    <Dialog title={AGAIN.title} onClose={onClose}>
      <p className="mb-3 text-sm text-ink-2">{AGAIN.hint}</p>
      {groups.length > 0
        ? (
          <fieldset className="flex max-h-80 flex-col gap-2 overflow-y-auto">
            <legend className="sr-only">{AGAIN.whom}</legend>
            {groups.map((group) => (
              <GroupChoice
                key={keyOf(group)}
                group={group}
                isChosen={isChosen(group)}
                onChange={(isTicked) => setChanged(new Map(changed).set(keyOf(group), isTicked))}
              />
            ))}
          </fieldset>
        )
        : query.isError
        ? <FailedBox title={AGAIN.failed} error={query.error} onRetry={query.refetch} />
        : query.data
        ? <p className="text-sm text-ink-2">{AGAIN.nobody}</p>
        : <Skeleton text={AGAIN.loading} />}
      {hasUnknown && (
        <label className="tone-warn mt-3 flex items-start gap-2 text-sm text-tone">
          <input
            type="checkbox"
            className="checkbox checkbox-sm mt-0.5"
            checked={confirms}
            onChange={(event) => setConfirms(event.currentTarget.checked)}
          />
          <span>{AGAIN.confirmUnknown}</span>
        </label>
      )}
      {problem !== null && <p className="tone-bad mt-2 text-sm text-tone" role="alert">{problem}</p>}
      <DialogFoot onLeave={onClose}>
        {groups.length > 0 && (
          <BusyButton className="btn-primary" busy={make.isPending} busyText={AGAIN.making} onClick={submit}>
            {AGAIN.make(count)}
          </BusyButton>
        )}
      </DialogFoot>
    </Dialog>
  );
}

interface GroupChoiceProps {
  group: Counted;
  isChosen: boolean;
  onChange: (isTicked: boolean) => void;
}

function GroupChoice({ group, isChosen, onChange }: GroupChoiceProps) {
  const note = group.reason === "not_on_app"
    ? AGAIN.notOnApp
    : group.reason === "value_missing"
    ? AGAIN.leftOut
    : null;
  return (
    <label className="choice items-start py-2 text-sm">
      <input
        type="checkbox"
        className="checkbox checkbox-sm mt-0.5"
        checked={isChosen}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className="min-w-0 flex-1">
        {groupLabel(group, "client")}
        {isChosen && note !== null && <span className="block text-ink-2">{note}</span>}
      </span>
      <span className="shrink-0 text-ink-2">{groupCount(group.count)}</span>
    </label>
  );
}
