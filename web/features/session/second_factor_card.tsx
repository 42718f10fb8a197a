import { useQuery } from "@tanstack/react-query";
import { ShieldEllipsis, ShieldOff } from "lucide-react";
import { useState } from "react";
import type { SecondFactor } from "shared/http_api.ts";
import { formatMoment } from "../../text/format.ts";
import { SECOND_FACTOR } from "./text/second_factor.ts";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Mark } from "../../ui/mark.tsx";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { secondFactorQuery } from "./get_second_factor.ts";

/** Loaded on demand, together with the QR library. */
const TurnOnDialog = lazyPart(async () => (await import("./turn_on_dialog.tsx")).TurnOnDialog);
const TurnOffDialog = lazyPart(async () => (await import("./both_factors_dialog.tsx")).TurnOffDialog);
const RenewDialog = lazyPart(async () => (await import("./both_factors_dialog.tsx")).RenewDialog);

const DIALOGS = { on: TurnOnDialog, off: TurnOffDialog, codes: RenewDialog };

/** Turns the account's second factor on and off, and renews its recovery codes. */
export function SecondFactorCard({ username }: { username: string }) {
  const factor = useQuery(secondFactorQuery);
  const [asked, setAsked] = useState<keyof typeof DIALOGS>();
  const Asked = asked && DIALOGS[asked];
  return (
    <section className="sheet p-5" aria-labelledby="factor-h">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="factor-h" className="text-lg font-bold">{SECOND_FACTOR.heading}</h2>
        {factor.data && (factor.data.since === null
          ? <Mark tone="idle" icon={ShieldOff} label={SECOND_FACTOR.off} />
          : <Mark tone="ok" icon={ShieldEllipsis} label={SECOND_FACTOR.on} />)}
      </div>
      {factor.data
        ? <Loaded factor={factor.data} onAsk={setAsked} />
        : factor.isError
        ? <FailedBox title={SECOND_FACTOR.failed} error={factor.error} onRetry={factor.refetch} />
        : <Skeleton text={SECOND_FACTOR.loading} />}
      {Asked && <Asked username={username} onClose={() => setAsked(undefined)} />}
    </section>
  );
}

interface LoadedProps {
  factor: SecondFactor;
  onAsk: (act: keyof typeof DIALOGS) => void;
}

function Loaded({ factor: { since, recoveryCodes }, onAsk }: LoadedProps) {
  if (since === null) {
    return (
      <>
        <p className="mt-1 mb-4 text-sm text-ink-2">{SECOND_FACTOR.meaning}</p>
        <button type="button" className="btn btn-primary" onClick={() => onAsk("on")}>
          {SECOND_FACTOR.turnOn}
        </button>
      </>
    );
  }
  return (
    <>
      <p className="mt-1 text-sm text-ink-2">{SECOND_FACTOR.since(formatMoment(since, Date.now()))}</p>
      <p className={`mt-1 mb-4 text-sm ${recoveryCodes < 2 ? "tone-warn text-tone" : "text-ink-2"}`}>
        {SECOND_FACTOR.codesLeft(recoveryCodes)}
      </p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-secondary" onClick={() => onAsk("codes")}>
          {SECOND_FACTOR.renew}
        </button>
        <button type="button" className="btn btn-outline btn-error" onClick={() => onAsk("off")}>
          {SECOND_FACTOR.turnOff}
        </button>
      </div>
    </>
  );
}
