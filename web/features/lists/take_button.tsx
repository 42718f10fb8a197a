import { useQueryClient } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import type { CampaignKind } from "shared/campaign.ts";
import type { UploadResult } from "shared/http_api.ts";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { TAKE } from "./text.ts";

const TakeDialog = lazyPart(async () => (await import("./take_dialog.tsx")).TakeDialog);

interface TakeButtonProps {
  campaignId: number;
  kind: CampaignKind;
  /** The client's sent campaigns. */
  campaigns: readonly { id: number; name: string }[];
  onTaken: () => void;
}

/** Opens the choice of people of lists for a campaign. */
export function TakeButton({ campaignId, kind, campaigns, onTaken }: TakeButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const cache = useQueryClient();

  function taken({ total }: UploadResult) {
    showToast({ title: TAKE.doneTitle, description: TAKE.done(total), tone: "ok" });
    setOpen(false);
    void cache.invalidateQueries({ queryKey: ["/api/campaigns", campaignId] });
    onTaken();
  }

  return (
    <>
      <button type="button" className="btn btn-secondary mt-3 w-full" onClick={() => setOpen(true)}>
        <Users className="size-4" />
        {TAKE.open}
      </button>
      {isOpen && (
        <TakeDialog
          campaignId={campaignId}
          kind={kind}
          campaigns={campaigns}
          onTaken={taken}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
