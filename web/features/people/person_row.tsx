import { Crown, Lock, ShieldEllipsis, TimerReset } from "lucide-react";
import type { ReactNode } from "react";
import type { Person } from "shared/people_api.ts";
import { DUTY_NAMES } from "../../text/duties.ts";
import { formatMoment } from "../../text/format.ts";
import { Mark } from "../../ui/mark.tsx";
import { PEOPLE } from "./text.ts";

/** One person of an account: name, marks, last activity; `children` are the acts of a viewer who has some. */
export function PersonRow({ person, now, children }: { person: Person; now: number; children?: ReactNode }) {
  const { username, duty, waits, disabled, secondFactor, lastSeenAt } = person;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 grow basis-48">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <bdi className="min-w-0 truncate" title={username}>{username}</bdi>
          {waits && <Mark tone="warn" icon={TimerReset} label={PEOPLE.waits} />}
          {disabled && <Mark tone="idle" icon={Lock} label={PEOPLE.disabled} />}
          {secondFactor && <Mark tone="ok" icon={ShieldEllipsis} label={PEOPLE.secondFactor} />}
        </p>
        <p className="text-xs text-ink-3">
          {lastSeenAt === null ? PEOPLE.notConnected : PEOPLE.seen(formatMoment(lastSeenAt, now))}
        </p>
      </div>
      {duty === "owner"
        ? <Mark tone="live" icon={Crown} label={PEOPLE.owner} />
        : children ?? <span className="text-sm text-ink-2">{DUTY_NAMES[duty]}</span>}
    </li>
  );
}
