import { WifiOff } from "lucide-react";
import { SHELL } from "../text/shell.ts";
import { Notice } from "../ui/notice.tsx";
import { useSignedIn } from "./signed_in_context.ts";

/** Says so when the live channel has given up; the screen goes on by asking every five seconds. */
export function LiveNotice() {
  const { live } = useSignedIn();
  if (live.state !== "given_up") return null;
  return (
    <Notice
      tone="bad"
      icon={WifiOff}
      lead={SHELL.offline}
      body={SHELL.offlineMeaning}
      className="mb-4"
      action={
        <button type="button" className="btn btn-sm btn-secondary" onClick={live.reconnect}>
          {SHELL.reconnect}
        </button>
      }
    />
  );
}
