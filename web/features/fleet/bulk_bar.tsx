import { Play, RotateCw, Square, X } from "lucide-react";
import { useState } from "react";
import { BULK, DEVICE_ACTS, DEVICES } from "../../text/admin_devices.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { useCommandDevices } from "./command_device.ts";
import type { AdbDevice } from "./get_adb_status.ts";

type BulkKind = "stop" | "start" | "restart";
const ICONS = { stop: Square, start: Play, restart: RotateCw };

interface BulkBarProps {
  devices: readonly AdbDevice[];
  /** Called with the ids that stay selected. */
  onSelect: (ids: readonly number[]) => void;
}

/** Acts on the selected phones, after one question that names their number. */
export function BulkBar({ devices, onSelect }: BulkBarProps) {
  const command = useCommandDevices();
  const [asking, setAsking] = useState<BulkKind>();
  const [done, setDone] = useState(0);
  if (devices.length === 0 && !command.isPending) return null;
  const held = devices.reduce((sum, device) => sum + device.held, 0);

  function run(kind: BulkKind) {
    setAsking(undefined);
    setDone(0);
    command.mutate({ devices, kind, onProgress: setDone }, { onSuccess: onSelect });
  }

  return (
    <div
      className="sheet sticky bottom-3 z-20 mt-4 flex flex-wrap items-center gap-2 px-4 py-3 shadow-lg"
      role="region"
      aria-label={DEVICES.bulkActs}
    >
      <span className="me-auto font-semibold" role="status">{DEVICES.selected(devices.length)}</span>
      {(["stop", "start", "restart"] as const).map((kind) => {
        const Icon = ICONS[kind];
        const isBusy = command.isPending && command.variables.kind === kind;
        return (
          <BusyButton
            key={kind}
            className={`btn-sm ${kind === "stop" ? "btn-outline btn-error" : "btn-ghost border-base-300"}`}
            busy={isBusy}
            busyText={isBusy ? BULK.working(done, command.variables.devices.length) : ""}
            onClick={() => !command.isPending && setAsking(kind)}
          >
            <Icon className="size-4" />
            {DEVICE_ACTS[kind]}
          </BusyButton>
        );
      })}
      <button type="button" className="btn btn-ghost btn-sm" onClick={() => onSelect([])}>
        <X className="size-4" />
        {DEVICES.clearSelection}
      </button>
      {asking && (
        <ConfirmDialog
          title={BULK.title[asking](devices.length)}
          confirm={DEVICE_ACTS[asking]}
          busyText={DEVICE_ACTS.working[asking]}
          busy={false}
          isDestructive={asking !== "start"}
          onConfirm={() => run(asking)}
          onClose={() => setAsking(undefined)}
        >
          {BULK.effect[asking](held)}
        </ConfirmDialog>
      )}
    </div>
  );
}
