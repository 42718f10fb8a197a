import { useQuery } from "@tanstack/react-query";
import {
  CircleCheck,
  ListTree,
  Pause,
  Pencil,
  Play,
  RotateCw,
  Trash2,
  Webhook as Hook,
  WifiOff,
} from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Webhook } from "shared/webhooks_api.ts";
import { formatMoment } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { isFocusLost } from "../../ui/lost_focus.ts";
import { Mark, type MarkLook } from "../../ui/mark.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useChangeWebhook, useRenewSecret, useWebhookAct } from "./change_webhooks.ts";
import { webhooksQuery } from "./get_webhooks.ts";
import { SecretDialog } from "./secret_dialog.tsx";
import { GROUPS, PAUSES, WEBHOOK_FORM, WEBHOOKS } from "./text.ts";
import { WebhookCalls } from "./webhook_calls.tsx";
import { groupOf, WebhookForm } from "./webhook_form.tsx";

/** The webhooks of an account, each with its state, its calls, and what can be done. */
export function WebhookList({ isAdmin, now }: { isAdmin: boolean; now: number }) {
  const webhooks = useQuery(webhooksQuery);
  const [open, setOpen] = useState<{ id: number; as: "calls" | "change" | "remove" }>();
  const remove = useWebhookAct(() => setOpen(undefined));
  const heading = useRef<HTMLHeadingElement>(null);
  const found = webhooks.data?.webhooks;
  const chosen = found?.find(({ id }) => id === open?.id);
  useEffect(() => {
    // The button that asked is gone together with its webhook.
    if (remove.isSuccess && open === undefined && isFocusLost()) heading.current?.focus();
  }, [open]);
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="webhooks-h">
      <h2
        ref={heading}
        id="webhooks-h"
        tabIndex={-1}
        className="border-b border-base-300 px-5 py-4 text-lg font-bold"
      >
        {WEBHOOKS.list}
      </h2>
      {found === undefined || found.length === 0
        ? (
          <div className="p-5">
            {found
              ? <EmptyBox icon={Hook} title={WEBHOOKS.none} body={WEBHOOKS.noneBody} />
              : webhooks.isError
              ? <FailedBox title={WEBHOOKS.failed} error={webhooks.error} onRetry={webhooks.refetch} />
              : <Skeleton text={WEBHOOKS.loading} rows={3} />}
          </div>
        )
        : (
          <ul aria-label={WEBHOOKS.region} className="divide-y divide-base-300">
            {found.map((webhook) => (
              <WebhookRow
                key={webhook.id}
                item={webhook}
                now={now}
                onOpen={(as) => setOpen({ id: webhook.id, as })}
              />
            ))}
          </ul>
        )}
      {chosen && open?.as === "calls" && (
        <WebhookCalls
          webhook={chosen}
          now={now}
          onClose={() => setOpen(undefined)}
        />
      )}
      {chosen && open?.as === "change" && (
        <ChangeDialog
          webhook={chosen}
          isAdmin={isAdmin}
          onClose={() => setOpen(undefined)}
        />
      )}
      {chosen && open?.as === "remove" && (
        <ConfirmDialog
          title={WEBHOOKS.removeTitle(chosen.name)}
          confirm={WEBHOOKS.remove}
          busyText={WEBHOOKS.removing}
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ act: "remove", id: chosen.id })}
          onClose={() => setOpen(undefined)}
        >
          {WEBHOOKS.removeEffect}
        </ConfirmDialog>
      )}
    </section>
  );
}

interface WebhookRowProps {
  item: Webhook;
  now: number;
  onOpen: (as: "calls" | "change" | "remove") => void;
}

function WebhookRow({ item, now, onOpen }: WebhookRowProps) {
  const { id, name, url, types, paused, failingSince, arrivedAt, waiting, givenUp, oldSecretUntil } = item;
  const act = useWebhookAct();
  const [secret, setSecret] = useState<string>();
  const renew = useRenewSecret((made) => setSecret(made.secret));
  const facts = [
    arrivedAt === null ? WEBHOOKS.neverArrived : WEBHOOKS.arrived(formatMoment(arrivedAt, now)),
    ...(waiting > 0 ? [WEBHOOKS.waiting(waiting)] : []),
    ...(givenUp > 0 ? [WEBHOOKS.givenUp(givenUp)] : []),
  ];
  const busy = (what: string) => act.isPending && act.variables?.act === what;
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
          <Mark {...lookOf(item)} />
        </p>
        <p className="text-sm text-ink-2">
          <bdi dir="ltr" className="font-mono text-xs wrap-anywhere">{url}</bdi>
        </p>
        <p className="text-sm text-ink-2">
          {[...new Set(types.map(groupOf))].map((group) => GROUPS[group]?.name ?? group).join(" · ")}
        </p>
        <p className="text-xs text-ink-3">{facts.join(" · ")}</p>
        {paused && <p className="tone-warn text-sm text-tone">{PAUSES[paused.why]}</p>}
        {!paused && failingSince !== null && (
          <p className="tone-warn text-sm text-tone">
            {WEBHOOKS.failingSince(formatMoment(failingSince, now))}
          </p>
        )}
        {oldSecretUntil !== null && (
          <p className="flex flex-wrap items-center gap-2 text-xs text-ink-3">
            {WEBHOOKS.oldSecret(formatMoment(oldSecretUntil, now))}
            <BusyButton
              className="btn-ghost btn-xs"
              busy={busy("endOld")}
              busyText={WEBHOOKS.endOld}
              onClick={() => act.mutate({ act: "endOld", id })}
            >
              {WEBHOOKS.endOld}
            </BusyButton>
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {paused
          ? (
            <BusyButton
              className="btn-primary btn-sm"
              busy={busy("resume")}
              busyText={WEBHOOKS.resume}
              aria-label={WEBHOOKS.resumeOf(name)}
              onClick={() => act.mutate({ act: "resume", id })}
            >
              <Play className="size-4" />
              {WEBHOOKS.resume}
            </BusyButton>
          )
          : (
            <BusyButton
              className="btn-secondary btn-sm"
              busy={busy("test")}
              busyText={WEBHOOKS.test}
              aria-label={WEBHOOKS.testOf(name)}
              onClick={() => act.mutate({ act: "test", id })}
            >
              {WEBHOOKS.test}
            </BusyButton>
          )}
        <button
          type="button"
          className="btn btn-secondary btn-sm"
          aria-label={WEBHOOKS.callsOf(name)}
          onClick={() => onOpen("calls")}
        >
          <ListTree className="size-4" />
          {WEBHOOKS.calls}
        </button>
        <button
          type="button"
          className="btn btn-ghost btn-sm border-base-300"
          aria-label={WEBHOOKS.changeOf(name)}
          onClick={() => onOpen("change")}
        >
          <Pencil className="size-4" />
          {WEBHOOKS.change}
        </button>
        {!paused && (
          <BusyButton
            className="btn-ghost btn-sm border-base-300"
            busy={busy("pause")}
            busyText={WEBHOOKS.pause}
            aria-label={WEBHOOKS.pauseOf(name)}
            onClick={() => act.mutate({ act: "pause", id })}
          >
            <Pause className="size-4" />
            {WEBHOOKS.pause}
          </BusyButton>
        )}
        <BusyButton
          className="btn-ghost btn-sm border-base-300"
          busy={renew.isPending}
          busyText={WEBHOOKS.newSecret}
          aria-label={WEBHOOKS.newSecretOf(name)}
          onClick={() => renew.mutate(id)}
        >
          <RotateCw className="size-4" />
          {WEBHOOKS.newSecret}
        </BusyButton>
        <button
          type="button"
          className="btn btn-ghost btn-sm border-base-300 tone-bad text-tone"
          aria-label={WEBHOOKS.removeOf(name)}
          onClick={() => onOpen("remove")}
        >
          <Trash2 className="size-4" />
          {WEBHOOKS.remove}
        </button>
      </div>
      {secret !== undefined && (
        <SecretDialog
          name={name}
          secret={secret}
          body={WEBHOOK_FORM.renewed}
          onClose={() => setSecret(undefined)}
        />
      )}
    </li>
  );
}

function ChangeDialog(
  { webhook, isAdmin, onClose }: { webhook: Webhook; isAdmin: boolean; onClose: () => void },
) {
  const change = useChangeWebhook(webhook.id, onClose);
  return (
    <Dialog title={WEBHOOK_FORM.changeHeading(webhook.name)} onClose={onClose}>
      <WebhookForm
        isAdmin={isAdmin}
        given={webhook}
        submit={WEBHOOK_FORM.save}
        busyText={WEBHOOK_FORM.saving}
        busy={change.isPending}
        onSubmit={(fields) => change.mutate(fields)}
      />
    </Dialog>
  );
}

function lookOf({ paused, failingSince }: Webhook): MarkLook {
  if (paused) return { tone: "warn", icon: Pause, label: WEBHOOKS.pausedMark };
  if (failingSince !== null) return { tone: "bad", icon: WifiOff, label: WEBHOOKS.failing };
  return { tone: "ok", icon: CircleCheck, label: WEBHOOKS.on };
}
