import { Hourglass, Plug, Square, Unplug } from "lucide-react";
import { DEVICES } from "../../text/admin_devices.ts";
import { Mark } from "../../ui/mark.tsx";
import { isStopUnsettled } from "./device_facts.ts";

interface DeviceMarksProps {
  device: { adbConnected: boolean; stopped: boolean; siteStopped: boolean | null };
}

/**
 * Shows online or offline, by adb; 'נעצר' when the site holds the phone stopped; and a person's request while the
 * site's state differs from it.
 */
export function DeviceMarks({ device }: DeviceMarksProps) {
  const { stopped, siteStopped } = device;
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {isStopUnsettled(device) && (
        <Mark
          tone="warn"
          icon={Hourglass}
          label={stopped ? DEVICES.marks.waitsForStop : DEVICES.marks.waitsForStart}
        />
      )}
      {(siteStopped ?? stopped) && <Mark tone="idle" icon={Square} label={DEVICES.marks.stopped} />}
      {device.adbConnected
        ? <Mark tone="ok" icon={Plug} label={DEVICES.marks.online} />
        : <Mark tone="bad" icon={Unplug} label={DEVICES.marks.offline} />}
    </span>
  );
}

/** Shows whether a device's site is connected. */
export function SiteMark({ isConnected }: { isConnected: boolean }) {
  return isConnected
    ? <Mark tone="ok" icon={Plug} label={DEVICES.siteConnected} />
    : <Mark tone="bad" icon={Unplug} label={DEVICES.siteAway} />;
}
