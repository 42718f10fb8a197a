import { BellOff, Check, RotateCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { formatAge, formatSpan } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { iconOf, wayOfCause } from "./alert_look.ts";
import { CauseItems } from "./cause_items.tsx";
import { SNOOZES, useChangeQuiet } from "./change_quiet.ts";
import type { AdminAlert, AlertCause } from "./get_alerts.ts";
import { ALERT_PAGE, messageText } from "./text.ts";

interface CauseRowProps {
  cause: AlertCause;
  items: readonly AdminAlert[];
  now: number;
  /** Whether the single alerts can be opened here, and its messages are shown. */
  isFull?: boolean;
  /** Called when the link is followed. */
  onGo?: () => void;
  /** Called when the person acts on the cause, before the row leaves its list. */
  onChange: (cause: string) => void;
}

/** One cause: what it is, since when, what to do, and the acts on it. */
export function CauseRow({ cause, items, now, isFull = false, onGo, onChange }: CauseRowProps) {
  const [isOpen, setOpen] = useState(false);
  const change = useChangeQuiet();
  const Icon = iconOf(cause);
  const way = wayOfCause(cause, items);
  const tone = cause.quiet ? "idle" : cause.type === "error" ? "bad" : "warn";
  return (
    <li className="sheet p-4" data-cause={cause.cause}>
      <div className={`tone-${tone} flex items-start gap-3`}>
        <Icon className="mt-0.5 size-5 shrink-0 text-tone" />
        <div className="min-w-0 grow">
          <p className="font-semibold">
            {cause.title}
            {cause.since !== null && (
              <span className="ms-2 text-sm font-normal text-ink-3">{formatAge(now - cause.since)}</span>
            )}
          </p>
          {cause.step && <p className="mt-0.5 text-sm text-ink-2">{cause.step}</p>}
          {cause.quiet && <p className="mt-1 text-sm text-ink-2">{quietText(cause.quiet, now)}</p>}
          {isFull && cause.messages.map((message) => (
            <p
              key={message.channel}
              className={`mt-1 text-sm ${
                message.state === "failed" || message.state === "unknown"
                  ? "tone-bad text-tone"
                  : "text-ink-3"
              }`}
            >
              {messageText(message, now)}
            </p>
          ))}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2 ps-8">
        <Link to={way.to} className="btn btn-sm btn-secondary" onClick={onGo}>{way.label}</Link>
        {cause.cause !== "" && (cause.quiet ? unquiet() : quietActs())}
        {isFull && cause.alerts > 1 && (
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? ALERT_PAGE.hideAll : ALERT_PAGE.showAll(cause.alerts)}
          </button>
        )}
      </div>
      {isOpen && <CauseItems cause={cause.cause} now={now} />}
    </li>
  );

  function changeTo(to: number | null | "end") {
    onChange(cause.cause);
    change.mutate({ cause, to });
  }

  function quietActs(): ReactNode {
    return (
      <>
        <BusyButton
          className="btn-ghost btn-sm border-base-300"
          aria-label={`${ALERT_PAGE.acknowledge}: ${cause.title}`}
          busy={change.isPending}
          busyText={ALERT_PAGE.working}
          onClick={() => changeTo(null)}
        >
          <Check className="size-4" />
          {ALERT_PAGE.acknowledge}
        </BusyButton>
        <Menu
          label={ALERT_PAGE.snoozeOf(cause.title)}
          className="btn btn-ghost btn-sm border-base-300"
          items={SNOOZES.map((hours) => ({
            label: ALERT_PAGE.snoozeFor(hours),
            onChoose: () => changeTo(hours),
          }))}
        >
          <BellOff className="size-4" />
          {ALERT_PAGE.snooze}
        </Menu>
      </>
    );
  }

  function unquiet(): ReactNode {
    return (
      <BusyButton
        className="btn-ghost btn-sm border-base-300"
        aria-label={`${ALERT_PAGE.unquiet}: ${cause.title}`}
        busy={change.isPending}
        busyText={ALERT_PAGE.working}
        onClick={() => changeTo("end")}
      >
        <RotateCcw className="size-4" />
        {ALERT_PAGE.unquiet}
      </BusyButton>
    );
  }
}

function quietText({ by, at, until }: NonNullable<AlertCause["quiet"]>, now: number): string {
  const age = formatAge(now - at);
  return until === null
    ? ALERT_PAGE.acknowledged(by, age)
    : ALERT_PAGE.snoozed(by, age, formatSpan(Math.max(0, until - now)));
}
