import { useQuery } from "@tanstack/react-query";
import { Ban, FlaskConical, KeyRound, TimerReset } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ApiKey } from "shared/keys_api.ts";
import { formatMoment } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { isFocusLost } from "../../ui/lost_focus.ts";
import { Mark } from "../../ui/mark.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useChangeKey } from "./change_keys.ts";
import { keysQuery } from "./get_keys.ts";
import { ADMIN_SCOPE_WORDS, CLIENT_SCOPE_WORDS, KEYS } from "./text.ts";

const SCOPE_WORDS: Record<string, { name: string } | undefined> = {
  ...CLIENT_SCOPE_WORDS,
  ...ADMIN_SCOPE_WORDS,
};

/** The keys of an account, each with its scopes, its bounds and its last use, and a revocation after a question. */
export function KeyList({ now }: { now: number }) {
  const keys = useQuery(keysQuery);
  const [revoking, setRevoking] = useState<ApiKey>();
  const revoke = useChangeKey(() => setRevoking(undefined));
  const heading = useRef<HTMLHeadingElement>(null);
  const found = keys.data?.keys;
  const waiting = found?.filter(({ waits }) => waits).length ?? 0;
  useEffect(() => {
    // The button that asked is gone together with its key.
    if (revoke.isSuccess && revoking === undefined && isFocusLost()) heading.current?.focus();
  }, [revoking]);
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="keys-h">
      <h2
        ref={heading}
        id="keys-h"
        tabIndex={-1}
        className="border-b border-base-300 px-5 py-4 text-lg font-bold"
      >
        {KEYS.list}
      </h2>
      {waiting > 0 && (
        <Notice
          tone="warn"
          icon={TimerReset}
          lead={KEYS.waitingLead(waiting)}
          body={KEYS.waitingBody}
          className="m-5"
        />
      )}
      {found === undefined || found.length === 0
        ? (
          <div className="p-5">
            {found
              ? <EmptyBox icon={KeyRound} title={KEYS.none} body={KEYS.noneBody} />
              : keys.isError
              ? <FailedBox title={KEYS.failed} error={keys.error} onRetry={keys.refetch} />
              : <Skeleton text={KEYS.loading} rows={3} />}
          </div>
        )
        : (
          <ul aria-label={KEYS.region} className="divide-y divide-base-300">
            {found.map((key) => (
              <KeyRow
                key={key.id}
                item={key}
                now={now}
                onRevoke={() => setRevoking(key)}
              />
            ))}
          </ul>
        )}
      {revoking && (
        <ConfirmDialog
          title={KEYS.revokeTitle(revoking.name)}
          confirm={KEYS.revoke}
          busyText={KEYS.revoking}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate({ act: "revoke", id: revoking.id })}
          onClose={() => setRevoking(undefined)}
        >
          {KEYS.revokeEffect}
        </ConfirmDialog>
      )}
    </section>
  );
}

function KeyRow({ item, now, onRevoke }: { item: ApiKey; now: number; onRevoke: () => void }) {
  const { id, name, mode, start, scopes, addresses, dailyLimit, expiresAt, lastUsedAt, waits } = item;
  const confirm = useChangeKey();
  const bounds = [
    lastUsedAt === null ? KEYS.never : KEYS.used(formatMoment(lastUsedAt, now)),
    expiresAt === null ? KEYS.endless : KEYS.until(formatMoment(expiresAt, now)),
    ...(dailyLimit === null ? [] : [KEYS.daily(dailyLimit)]),
  ];
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0 grow basis-64">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
          {mode === "test" && <Mark tone="idle" icon={FlaskConical} label={KEYS.test} />}
          {waits && <Mark tone="warn" icon={TimerReset} label={KEYS.waits} />}
        </p>
        <p className="text-sm text-ink-2">
          <bdi dir="ltr" className="font-mono text-xs">{start}…</bdi> ·{" "}
          {scopes.map((scope) => SCOPE_WORDS[scope]?.name ?? scope).join(" · ")}
        </p>
        <p className="text-xs text-ink-3">{bounds.join(" · ")}</p>
        {addresses.length > 0 && (
          <p className="text-xs text-ink-3">
            {KEYS.from} <bdi dir="ltr" className="wrap-anywhere">{addresses.join(", ")}</bdi>
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {waits && (
          <BusyButton
            className="btn-sm btn-primary"
            busy={confirm.isPending}
            busyText={KEYS.confirm}
            aria-label={KEYS.confirmOf(name)}
            onClick={() => confirm.mutate({ act: "confirm", id })}
          >
            {KEYS.confirm}
          </BusyButton>
        )}
        <button
          type="button"
          className="btn btn-ghost btn-sm border-base-300 tone-bad text-tone"
          aria-label={KEYS.revokeOf(name)}
          onClick={onRevoke}
        >
          <Ban className="size-4" />
          {KEYS.revoke}
        </button>
      </div>
    </li>
  );
}
