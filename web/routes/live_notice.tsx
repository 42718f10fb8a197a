import type { UseQueryResult } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { formatTimeSince } from "../text/format.ts";
import { SIGNED_IN } from "../text/signed_in.ts";
import { Notice } from "../ui/notice.tsx";
import { useSignedIn } from "./signed_in_context.ts";

/**
 * Warns when the screen's data may be old: the server does not respond, or the live channel gave up and the screen
 * polls every five seconds.
 */
export function LiveNotice({ query }: { query?: Pick<UseQueryResult, "isError" | "dataUpdatedAt"> }) {
  const { live } = useSignedIn();
  if (query?.isError && query.dataUpdatedAt > 0) {
    const time = formatTimeSince(query.dataUpdatedAt, Date.now());
    const [lead, body] = navigator.onLine
      ? [SIGNED_IN.noAnswer, SIGNED_IN.noAnswerSince(time)]
      : [SIGNED_IN.noNetwork, SIGNED_IN.noNetworkSince(time)];
    return <Notice tone="bad" icon={WifiOff} lead={lead} body={body} className="mb-4" />;
  }
  if (live.state !== "given_up") return null;
  return (
    <Notice
      tone="bad"
      icon={WifiOff}
      lead={SIGNED_IN.offline}
      body={SIGNED_IN.offlineMeaning}
      className="mb-4"
      action={
        <button type="button" className="btn btn-sm btn-secondary" onClick={live.reconnect}>
          {SIGNED_IN.reconnect}
        </button>
      }
    />
  );
}
