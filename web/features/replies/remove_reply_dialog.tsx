import type { Reply } from "shared/replies_api.ts";
import { REPLIES } from "./text.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { Phone } from "../../ui/phone.tsx";
import { useDecideReply } from "./decide_reply.ts";

interface RemoveReplyDialogProps {
  reply: Reply;
  /** True for a client, false for an administrator. */
  isOwn: boolean;
  onDecide: () => void;
  onClose: () => void;
}

/** Asks before a recipient is removed; a client cannot undo it. */
export function RemoveReplyDialog(
  { reply: { id, phone, client }, isOwn, onDecide, onClose }: RemoveReplyDialogProps,
) {
  const decide = useDecideReply();
  return (
    <ConfirmDialog
      title={REPLIES.removeTitle}
      confirm={REPLIES.removeConfirm}
      busyText={REPLIES.removing}
      busy={decide.isPending}
      onConfirm={() => {
        onDecide();
        decide.mutate({ id, as: "remove" }, { onSettled: onClose });
      }}
      onClose={onClose}
    >
      <p className="mb-1 font-semibold">
        <Phone e164={phone} />
      </p>
      {REPLIES.removeEffect(isOwn ? "own" : client === null ? "all" : "client")}
    </ConfirmDialog>
  );
}
