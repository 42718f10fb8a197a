import { Hourglass, Plug, Square, Unplug } from "lucide-react";
import { DEVICES } from "../../text/admin_devices.ts";
import { Mark } from "../../ui/mark.tsx";
import { isStopUnsettled } from "./device_facts.ts";

interface DeviceMarksProps {
  device: { adbConnected: boolean; stopped: boolean; siteStopped: boolean | null };
}

/**
 * Online or offline, as adb has it; 'נעצר' when its site holds it stopped; and what a person asked for, while the
 * site holds it otherwise.
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

/** Whether the site of a device answers. */
export function SiteMark({ isConnected }: { isConnected: boolean }) {
  return isConnected
    ? <Mark tone="ok" icon={Plug} label={DEVICES.siteConnected} />
    : <Mark tone="bad" icon={Unplug} label={DEVICES.siteAway} />;
}
