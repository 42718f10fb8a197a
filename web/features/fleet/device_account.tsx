import type { DeviceDetail } from "shared/admin_api.ts";
import { ACCOUNT_STATE_STEPS, appName, DEVICE, DEVICES, UNKNOWN_SCREEN } from "../../text/admin_devices.ts";
import { formatNumber, formatSpan } from "../../text/format.ts";
import { AccountMark } from "../../ui/account_mark.tsx";
import { CapStrip } from "../../ui/cap_strip.tsx";
import { Num } from "../../ui/num.tsx";
import { AccountIdentity } from "./account_identity.tsx";
import { SparkLine } from "../../ui/spark_line.tsx";
import { ReleaseAccount } from "./release_account.tsx";
import { RiskScore } from "../../ui/risk_score.tsx";
import { UnknownScreen } from "./unknown_screen.tsx";

interface DeviceAccountProps {
  account: DeviceDetail["accounts"][number];
  now: number;
}

/** One account on its phone's page: state, remaining daily cap, risk with reasons, one day's outcomes. */
export function DeviceAccount({ account, now }: DeviceAccountProps) {
  const { messagesCount, capPerDay, state, stateSince } = account;
  // A ban outweighs a screen that nobody knows.
  const unknownScreen = state === "unreachable" ? account.unknownScreen : null;
  const since = unknownScreen?.since ?? stateSince;
  return (
    <li className="px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="min-w-0 font-semibold">
          <bdi>{account.label || appName(account.account)}</bdi>
        </h3>
        <AccountMark status={account.status} />
      </div>
      {account.note && (
        <p className="tone-warn mt-1 text-sm text-tone">
          {account.note}
          {state !== "ok" && since !== null && ` ${DEVICE.inState(formatSpan(now - since))}`}
          {state !== "ok" && (
            <span className="block text-ink-2">
              {unknownScreen ? UNKNOWN_SCREEN.steps[unknownScreen.kind] : ACCOUNT_STATE_STEPS[state]}
            </span>
          )}
        </p>
      )}
      {unknownScreen && <UnknownScreen screen={unknownScreen} version={account.whatsappVersion} />}
      <AccountIdentity account={account} />
      <div className="mt-2.5 flex items-center gap-3">
        <CapStrip used={messagesCount} cap={capPerDay} label={DEVICES.usedOfCap(messagesCount, capPerDay)} />
        <span className="text-sm">
          <Num>{`${formatNumber(messagesCount)} / ${formatNumber(capPerDay)}`}</Num>
        </span>
      </div>
      <p className="mt-1 text-xs text-ink-2">
        {account.standing === "ready" ? "" : `${DEVICES.standings[account.standing]} · `}
        {DEVICES.leftToday(account.leftToday)}
      </p>
      <p className="mt-2 flex flex-wrap gap-x-4 text-xs text-ink-3">
        <span>{DEVICE.outcomes(account.sent24h, account.failed24h, account.unknown24h)}</span>
        <span>{DEVICES.lastSent(account.lastActivity, now)}</span>
      </p>
      <div className="mt-3 flex items-start gap-3 text-sm">
        <RiskScore score={account.riskScore} />
        <ul className="text-ink-2">
          {account.riskReasons.map((reason) => <li key={reason}>{reason}</li>)}
        </ul>
        <span className="ms-auto">
          <SparkLine points={account.riskHistory.map(({ score }) => score)} />
        </span>
      </div>
      {account.riskAdvice.length > 0 && (
        <div className="mt-2 text-sm">
          <h4 className="font-semibold">{DEVICE.advice}</h4>
          <ul className="text-ink-2">
            {account.riskAdvice.map((advice) => <li key={advice}>{advice}</li>)}
          </ul>
        </div>
      )}
      {account.trip !== null && <ReleaseAccount id={account.id} trip={account.trip} />}
    </li>
  );
}
