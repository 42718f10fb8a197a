import { Hourglass, Plug, Square, Unplug } from "lucide-react";
import type { DeviceStanding } from "shared/standing.ts";
import { DEVICES } from "../../text/admin_devices.ts";
import { Mark } from "../../ui/mark.tsx";
import { StandingMark } from "../../ui/standing_mark.tsx";
import { isStopUnsettled } from "./device_facts.ts";

interface DeviceMarksProps {
  device: { adbConnected: boolean; standing: DeviceStanding; stopped: boolean; siteStopped: boolean | null };
}

/**
 * Shows the state that leads a phone, then that adb sees it; 'נעצר' when the site holds it stopped; and a person's
 * request while the site's state differs from it.
 */
export function DeviceMarks({ device }: DeviceMarksProps) {
  const { stopped, siteStopped, standing, adbConnected } = device;
  return (
    <span className="flex flex-wrap gap-1">
      <StandingMark standing={standing} />
      {standing !== "stopped" && (siteStopped ?? stopped) && (
        <Mark tone="idle" icon={Square} label={DEVICES.marks.stopped} />
      )}
      {isStopUnsettled(device) && (
        <Mark
          tone="warn"
          icon={Hourglass}
          label={stopped ? DEVICES.marks.waitsForStop : DEVICES.marks.waitsForStart}
        />
      )}
      {adbConnected && standing !== "ready" && <Mark tone="idle" icon={Plug} label={DEVICES.marks.online} />}
    </span>
  );
}

/** Shows whether a device's site is connected. */
export function SiteMark({ isConnected }: { isConnected: boolean }) {
  return isConnected
    ? <Mark tone="ok" icon={Plug} label={DEVICES.siteConnected} />
    : <Mark tone="bad" icon={Unplug} label={DEVICES.siteAway} />;
}
