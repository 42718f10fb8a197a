import { Bell, Play, RotateCw, Square } from "lucide-react";
import { useState } from "react";
import type { DeviceStanding } from "shared/standing.ts";
import { DEVICE_ACTS } from "../../text/admin_devices.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { type CommandKind, useCommandDevice } from "./command_device.ts";
import { CommandDialog } from "./command_dialog.tsx";

interface DeviceActsProps {
  device: { id: number; name: string; held: number; stopped: boolean; standing: DeviceStanding };
}

/** Actions for a phone on its own page. */
export function DeviceActs({ device }: DeviceActsProps) {
  const command = useCommandDevice();
  const [asking, setAsking] = useState<"restart" | "stop">();
  const working = command.isPending ? command.variables.kind : undefined;

  /** Only one command at a time: a second one would reach the phone before the first has ended. */
  function order(kind: CommandKind) {
    if (!working) command.mutate({ deviceId: device.id, kind });
  }

  function button(kind: CommandKind, icon: typeof Bell, className: string, onClick: () => void) {
    const Icon = icon;
    return (
      <BusyButton
        className={className}
        busy={working === kind}
        busyText={DEVICE_ACTS.working[kind]}
        onClick={onClick}
      >
        <Icon className="size-4" />
        {DEVICE_ACTS[kind]}
      </BusyButton>
    );
  }

  // Its site tries the account again after a start; nobody stopped the phone.
  const waitsForStart = device.standing === "unknown_screen";
  const quiet = "btn-ghost border-base-300";
  return (
    <>
      {(device.stopped || waitsForStart) && button("start", Play, "btn-primary", () => order("start"))}
      {!device.stopped && button("stop", Square, "btn-outline btn-error", () => setAsking("stop"))}
      {button("restart", RotateCw, quiet, () => setAsking("restart"))}
      {button("identify", Bell, quiet, () => order("identify"))}
      {asking && (
        <CommandDialog
          kind={asking}
          device={device}
          onConfirm={() => {
            setAsking(undefined);
            order(asking);
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}
