import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { NUMBERS_REASON_CHARS } from "shared/reason.ts";
import type { OneList } from "shared/lists_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ReasonDialog } from "../../ui/reason_dialog.tsx";
import { useShowList } from "./change_lists.ts";
import { MASKED } from "./text.ts";

/** Whether an administrator sees a list's numbers and values, and the button to show them with a reason. */
export function MaskedView({ list }: { list: OneList }) {
  const [isAsking, setAsking] = useState(false);
  const show = useShowList(list.id, () => setAsking(false));
  if (list.shownUntil !== null) {
    return (
      <Notice
        tone="warn"
        icon={Eye}
        lead={MASKED.shown}
        body={MASKED.shownBody}
        action={
          <BusyButton
            className="btn-secondary btn-sm"
            busy={show.isPending}
            busyText={MASKED.hiding}
            onClick={() => show.mutate(null)}
          >
            {MASKED.hide}
          </BusyButton>
        }
      />
    );
  }
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-sm justify-self-start border-base-300"
        onClick={() => setAsking(true)}
      >
        <EyeOff className="size-4" />
        {MASKED.show}
      </button>
      {isAsking && (
        <ReasonDialog
          words={MASKED}
          {...NUMBERS_REASON_CHARS}
          busy={show.isPending}
          onConfirm={(reason) => show.mutate(reason)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
