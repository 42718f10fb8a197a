import { useInfiniteQuery } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { Notice } from "../../ui/notice.tsx";
import { ledgerQuery } from "./get_ledger.ts";
import { NO_QUOTA } from "./text.ts";

/** Says why nothing can be sent: no messages were loaded yet, or all were used. */
export function NoQuota({ userId }: { userId: number }) {
  const ledger = useInfiniteQuery(ledgerQuery(userId));
  if (ledger.isPending) return null;
  const isFirst = ledger.data?.pages[0]?.items.length === 0;
  return (
    <Notice
      tone={isFirst ? "idle" : "warn"}
      icon={Hourglass}
      {...(isFirst ? NO_QUOTA.neverLoaded : NO_QUOTA.exhausted)}
      className="mb-4"
    />
  );
}
