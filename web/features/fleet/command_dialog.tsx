import { DEVICE_ACTS } from "../../text/admin_devices.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";

interface CommandDialogProps {
  kind: "restart" | "stop";
  device: { name: string; held: number };
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Asks before a phone is stopped or restarted. The dialog closes at once: the site's reply takes a while, so the
 * page waits for it.
 */
export function CommandDialog({ kind, device, onConfirm, onClose }: CommandDialogProps) {
  const [title, effect] = kind === "stop"
    ? [DEVICE_ACTS.stopTitle(device.name), DEVICE_ACTS.stopEffect(device.held)]
    : [DEVICE_ACTS.restartTitle(device.name), DEVICE_ACTS.restartEffect(device.held)];
  return (
    <ConfirmDialog
      title={title}
      confirm={DEVICE_ACTS[kind]}
      busyText={DEVICE_ACTS.working[kind]}
      busy={false}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {effect}
    </ConfirmDialog>
  );
}
