import { Hourglass, Square } from "lucide-react";
import { DEVICE } from "../../text/admin_devices.ts";
import { Notice } from "../../ui/notice.tsx";
import { isStopUnsettled } from "./device_facts.ts";

interface StopNoticeProps {
  device: { stopped: boolean; siteStopped: boolean | null };
}

/** Shows that a phone is stopped, or that its site has not yet followed a stop or a start. */
export function StopNotice({ device }: StopNoticeProps) {
  const { stopped } = device;
  if (isStopUnsettled(device)) {
    return (
      <Notice
        tone="warn"
        icon={Hourglass}
        lead={stopped ? DEVICE.waitsForStop : DEVICE.waitsForStart}
        body={stopped ? DEVICE.waitsForStopMeaning : DEVICE.waitsForStartMeaning}
        className="mb-4"
      />
    );
  }
  return stopped && (
    <Notice
      tone="idle"
      icon={Square}
      lead={DEVICE.stoppedNotice}
      body={DEVICE.stoppedMeaning}
      className="mb-4"
    />
  );
}
