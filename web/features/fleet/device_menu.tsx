import { EllipsisVertical, Eye, LoaderCircle, Play, RotateCw, Square } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { DEVICE_ACTS } from "../../text/admin_devices.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { useCommandDevice } from "./command_device.ts";
import { CommandDialog } from "./command_dialog.tsx";

interface DeviceMenuProps {
  device: { id: number; name: string; held: number; stopped: boolean };
}

/** Menu of a listed phone: its page, restart, and stop or start. */
export function DeviceMenu({ device }: DeviceMenuProps) {
  const navigate = useNavigate();
  const command = useCommandDevice();
  const [asking, setAsking] = useState<"restart" | "stop">();
  const items: MenuItem[] = [
    {
      label: DEVICE_ACTS.details,
      icon: <Eye className="size-4" />,
      onChoose: () => navigate(ADMIN_PATHS.device(device.id)),
    },
    {
      label: DEVICE_ACTS.restart,
      icon: <RotateCw className="size-4" />,
      onChoose: () => setAsking("restart"),
    },
    device.stopped
      ? {
        label: DEVICE_ACTS.start,
        icon: <Play className="size-4" />,
        onChoose: () => command.mutate({ deviceId: device.id, kind: "start" }),
      }
      : {
        label: DEVICE_ACTS.stop,
        icon: <Square className="size-4" />,
        isDestructive: true,
        onChoose: () => setAsking("stop"),
      },
  ];
  const working = command.isPending ? DEVICE_ACTS.working[command.variables.kind] : undefined;
  return (
    <>
      <Menu label={ADMIN_COMMON.actions(device.name)} items={items}>
        {working
          ? <LoaderCircle className="size-[1.125rem] motion-safe:animate-spin" />
          : <EllipsisVertical className="size-[1.125rem]" />}
      </Menu>
      <span role="status" className="sr-only">{working}</span>
      {asking && (
        <CommandDialog
          kind={asking}
          device={device}
          onConfirm={() => {
            setAsking(undefined);
            command.mutate({ deviceId: device.id, kind: asking });
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}
