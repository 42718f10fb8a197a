import { CircleHelp, ShieldAlert, ShieldCheck } from "lucide-react";
import type { AuditChain } from "shared/audit.ts";
import { AUDIT } from "./text.ts";
import { formatAge, formatSpan } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useCheckAudit } from "./get_audit.ts";

/** Rows wait about a second for their seal; with an external scheduler, one or two minutes. */
const LONG_OPEN_MS = 3 * 60_000;

/** Shows whether the log is unchanged, and the time of the last check. */
export function ChainNotice({ chain, now }: { chain: AuditChain; now: number }) {
  const check = useCheckAudit();
  return (
    <Notice
      {...noticeOf(chain, now)}
      className="mb-4"
      action={
        <BusyButton
          className="btn-secondary btn-sm"
          busy={check.isPending}
          busyText={AUDIT.checking}
          onClick={() => check.mutate()}
        >
          {AUDIT.check}
        </BusyButton>
      }
    />
  );
}

function noticeOf({ checkedAt, rows, fault, openSince }: AuditChain, now: number) {
  if (checkedAt === null) {
    return { tone: "warn", icon: CircleHelp, lead: AUDIT.never, body: AUDIT.neverBody } as const;
  }
  const age = formatAge(now - checkedAt);
  if (fault) {
    return {
      tone: "bad",
      icon: ShieldAlert,
      lead: AUDIT.broken,
      body: AUDIT.brokenBody(fault, age),
    } as const;
  }
  const isLate = openSince !== null && now - openSince > LONG_OPEN_MS;
  const late = isLate ? ` ${AUDIT.waiting(formatSpan(now - openSince))}` : "";
  const body = AUDIT.wholeBody(rows, age) + late;
  return { tone: isLate ? "warn" : "ok", icon: ShieldCheck, lead: AUDIT.whole, body } as const;
}
