import { CircleCheck, CircleX, Clock, Hourglass } from "lucide-react";
import type { DeviceCommand } from "shared/admin_api.ts";
import { DEVICE, DEVICE_ACTS } from "../../text/admin_devices.ts";
import { formatMoment } from "../../text/format.ts";
import { Mark, type MarkLook } from "../../ui/mark.tsx";

const LOOKS: Record<DeviceCommand["status"], Omit<MarkLook, "label">> = {
  waiting: { tone: "live", icon: Clock },
  done: { tone: "ok", icon: CircleCheck },
  failed: { tone: "bad", icon: CircleX },
  timed_out: { tone: "warn", icon: Hourglass },
};

/** Lists commands given to a phone, with their results. */
export function DeviceCommands({ commands, now }: { commands: readonly DeviceCommand[]; now: number }) {
  return (
    <section className="sheet overflow-hidden" aria-labelledby="commands-h">
      <h2 id="commands-h" className="px-5 pt-4 pb-2 font-bold">{DEVICE.commands}</h2>
      {commands.length === 0 && <p className="px-5 pb-5 text-sm text-ink-2">{DEVICE.noCommands}</p>}
      <ul className="divide-y divide-base-300">
        {commands.map((command) => (
          <li key={command.id} className="flex flex-wrap items-center justify-between gap-2 px-5 py-3">
            <div className="min-w-0">
              <p className="text-sm font-semibold">{DEVICE_ACTS[command.kind]}</p>
              <p className="text-xs text-ink-3">
                <bdi>{command.by}</bdi> · {formatMoment(command.createdAt, now)}
              </p>
              {command.detail && <p className="mt-1 text-xs text-ink-2 wrap-anywhere">{command.detail}</p>}
            </div>
            <Mark {...LOOKS[command.status]} label={DEVICE.commandStatuses[command.status]} />
          </li>
        ))}
      </ul>
    </section>
  );
}
