import type { Reply } from "shared/replies_api.ts";
import { formatMoment } from "../../text/format.ts";
import { REPLIES } from "./text.ts";
import { useMayDo } from "../../ui/may_do.ts";
import { Phone } from "../../ui/phone.tsx";
import { useDecideReply } from "./decide_reply.ts";

interface WaitingReplyProps {
  reply: Reply;
  now: number;
  showsClient: boolean;
  /** Asks before the removal. */
  onRemove: () => void;
  /** Called when the person keeps the recipient. */
  onKeep: () => void;
}

/** One reply with its sender and campaign, and the two decisions. */
export function WaitingReply({ reply, now, showsClient, onRemove, onKeep }: WaitingReplyProps) {
  const { id, phone, excerpt, campaignName, client, at } = reply;
  const { isPending, mutate } = useDecideReply();
  const mayDecide = useMayDo("sender");
  const keep = () => {
    onKeep();
    mutate({ id, as: "keep" });
  };
  const acts = [["remove", onRemove, "btn-outline btn-error"], ["keep", keep, "btn-secondary"]] as const;
  return (
    <li data-reply={id} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0 grow basis-64">
        <p className="font-semibold">
          <Phone e164={phone} />
        </p>
        {excerpt === ""
          ? <p className="my-1 text-ink-3">{REPLIES.wordless}</p>
          : <p className="my-1 wrap-anywhere" dir="auto">״{excerpt}״</p>}
        <p className="text-xs text-ink-3">
          ״<bdi>{campaignName ?? REPLIES.lostCampaign}</bdi>״ · {formatMoment(at, now)}
          {showsClient && (
            <>
              {" · "}
              <bdi>{client ?? REPLIES.unknownClient}</bdi>
            </>
          )}
        </p>
      </div>
      {mayDecide && (
        <div className="flex gap-2">
          {acts.map(([as, act, look]) => (
            <button
              key={as}
              type="button"
              className={`btn btn-sm ${look}`}
              aria-label={REPLIES.act(REPLIES[as], phone)}
              aria-busy={isPending || undefined}
              onClick={() => !isPending && act()}
            >
              {REPLIES[as]}
            </button>
          ))}
        </div>
      )}
    </li>
  );
}
