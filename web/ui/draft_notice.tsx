import { Copy } from "lucide-react";
import { DRAFT_TABS } from "../text/draft_tabs.ts";
import { Notice } from "./notice.tsx";
import type { DraftElsewhere } from "./use_stored_draft.ts";

/** Says that a draft is open in another tab too; asks which one stays when both were written at once. */
export function DraftNotice({ elsewhere }: { elsewhere: DraftElsewhere }) {
  if (elsewhere.state === "alone") return null;
  if (elsewhere.state === "mirrored") {
    return <Notice tone="idle" icon={Copy} {...DRAFT_TABS.mirrored} className="mb-4" />;
  }
  return (
    <Notice
      tone="warn"
      icon={Copy}
      {...DRAFT_TABS.apart}
      className="mb-4"
      action={
        <div className="flex flex-wrap gap-2">
          <button type="button" className="btn btn-sm btn-secondary" onClick={elsewhere.takeTheirs}>
            {DRAFT_TABS.takeTheirs}
          </button>
          <button type="button" className="btn btn-sm btn-ghost border-base-300" onClick={elsewhere.keepMine}>
            {DRAFT_TABS.keepMine}
          </button>
        </div>
      }
    />
  );
}
