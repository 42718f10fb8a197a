import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { ADMIN_COMMON } from "../text/admin_shell.ts";
import { BusyButton } from "./busy_button.tsx";

/** Fetches again now; busy during its own request only, not during polls. */
export function RefreshButton({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false);
  return (
    <BusyButton
      className="btn-ghost border-base-300"
      busy={isBusy}
      busyText={ADMIN_COMMON.refreshing}
      onClick={() => {
        setBusy(true);
        void onRefresh().finally(() => setBusy(false));
      }}
    >
      <RefreshCw className="size-4" />
      {ADMIN_COMMON.refresh}
    </BusyButton>
  );
}
