import { Plug, Square, Unplug } from "lucide-react";
import { DEVICES } from "../../text/admin_devices.ts";
import { Mark } from "../../ui/mark.tsx";

/** Online or offline, as adb has it; and 'נעצר' when a person stopped it. */
export function DeviceMarks({ device }: { device: { adbConnected: boolean; stopped: boolean } }) {
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {device.stopped && <Mark tone="idle" icon={Square} label={DEVICES.marks.stopped} />}
      {device.adbConnected
        ? <Mark tone="ok" icon={Plug} label={DEVICES.marks.online} />
        : <Mark tone="bad" icon={Unplug} label={DEVICES.marks.offline} />}
    </span>
  );
}

/** Whether the site of a device answers. */
export function SiteMark({ isConnected }: { isConnected: boolean }) {
  return isConnected
    ? <Mark tone="ok" icon={Plug} label={DEVICES.siteConnected} />
    : <Mark tone="bad" icon={Unplug} label={DEVICES.siteAway} />;
}
